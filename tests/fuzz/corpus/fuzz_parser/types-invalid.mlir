module attributes {a = !cake.global<4x?xi1>} {}
