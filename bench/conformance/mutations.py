"""Changes texts token by token. A mutation takes (rng, tokens, pool) and returns the new tokens, or None where it does not fit."""
import re

TOKEN = re.compile(r'''(?P<space>\s+)|(?P<comment>//[^\n]*)|(?P<string>@?"(?:\\.|[^"\\\n])*")|(?P<value>%[\w$.-]+(?:\#\d+)?)
    |(?P<block>\^[\w$.-]+)|(?P<symbol>@[\w$.-]+)|(?P<attr>\#[\w$.-]+)|(?P<type>![\w$.-]+)
    |(?P<number>0x[0-9A-Fa-f]+|\d+(?:\.\d*(?:[eE][-+]?\d+)?)?)|(?P<word>[A-Za-z_][\w$.]*)|(?P<punct>->|::|==|>=|<=|\{-\#|\#-\}|.)''', re.X)
CLOSES = {"(": ")", "[": "]", "{": "}", "<": ">"}
NUMBERS = """0 1 2 -1 7 8 64 127 128 255 256 -128 -129 32768 65535 65536 2147483647 2147483648 -2147483648 -2147483649 4294967295
    4294967296 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615
    18446744073709551616 340282366920938463463374607431768211456 0x0 0x1 0xFF 0x7F 0x80 0x7FC0 0x7C00 0xFFFF 0x7FC00000 0x80000000
    0xFFFFFFFF 0x7FF0000000000000 0xFFFFFFFFFFFFFFFF 0x1FFFFFFFFFFFFFFFF 0.0 -0.0 1.0 0. 1.e5 1.5e-3 3.4e38 3.5e38 1e400 1.0e400
    1.0e-400 -1.0e400 65504.0 65520.0 448.0 449.0 57344.0 1.0e-45 true false""".split()
TYPES = """i0 i1 i8 i32 i64 i65 i128 i16777215 i16777216 si8 ui8 si64 ui64 index f16 bf16 tf32 f32 f64 f80 f128 f4E2M1FN f6E2M3FN f6E3M2FN
    f8E5M2 f8E4M3 f8E4M3FN f8E5M2FNUZ f8E4M3FNUZ f8E4M3B11FNUZ f8E3M4 f8E8M0FNU none tuple<> tuple<i1,f32> complex<f32> complex<i8>
    vector<4xi32> vector<[4]xi32> vector<2x[2]xf16> vector<i32> vector<0xi32> tensor<4xi32> tensor<?xf32> tensor<*xi8> tensor<i32>
    tensor<2x0xf32> tensor<4xf32,1:i32> memref<4xi8> memref<?xf32,strided<[?],offset:?>> memref<*xi32,2> memref<2xi8,1> !u.t !u<"x">
    !u.t<[{(<>)}]> ()->() (i32)->i32 (i32,f32)->(index,index) 0xi32 4x4xf32 ?xi8 i32f f32x""".split()
WORDS = """unit true false loc affine_map affine_set dense dense_resource array sparse strided opaque distinct fused callsite unknown
    attributes to step else do iter_args private public nested x floordiv ceildiv mod and or exact nneg disjoint overflow<nsw>
    overflow<nsw,nuw> overflow<none> fastmath<fast> fastmath<nnan,ninf> fastmath<none> eq slt ult oeq uno to_nearest_even
    array<i32> array<i32:1> array<f16:0x3C00> dense<0>:vector<2xi8> dense<>:tensor<0xi8> dense<[1,2]>:tensor<2xi32> @a::@b @"x" "a\\22\\n"
    #u.a #u<"x"> #u<[(]> distinct[0]<1> loc(unknown) loc("a") loc("a":1:2) loc("a":1:2to3:4) loc(fused<1:i8>["a",unknown])
    loc(callsite("a"at"b")) unit {} [] {a,b=1} <{}> <{a=1}> ^bb0 () <> ... -> :: , : = ; ? * + - / % $ & | ~ ` \\ ' \" # ! ^ @ //c""".split()


def tokenize(text):
    return [(match.lastgroup, match.group()) for match in TOKEN.finditer(text)]


def join(tokens):
    return "".join(text for _, text in tokens)


def spans(tokens):
    """(start, end) of what brackets hold, with the word in front of them."""
    stack = []
    for i, (_, text) in enumerate(tokens):
        if text in CLOSES:
            stack.append(i)
        elif stack and text == CLOSES[tokens[stack[-1]][1]]:
            start = stack.pop()
            yield (start - 1 if start and tokens[start - 1][0] in ("word", "attr", "type") else start), i + 1


class Pool:
    """The tokens and spans of all chunks, by kind; beside them words that those chunks may not have."""

    def __init__(self, texts):
        self.kinds, spans_by_text = {}, {}
        for text in texts:
            tokens = tokenize(text)
            for kind, token in tokens:
                self.kinds.setdefault(kind, {})[token] = None
            for start, end in spans(tokens):
                if end - start < 40:
                    spans_by_text[join(tokens[start:end])] = None
        self.kinds = {kind: list(found) for kind, found in self.kinds.items() if kind not in ("space", "comment")}
        self.spans = list(spans_by_text)

    def any(self, rng):
        return rng.choice(self.kinds[rng.choice(list(self.kinds))])


def places(tokens, *kinds):
    return [i for i, (kind, _) in enumerate(tokens) if kind in kinds or not kinds and kind not in ("space", "comment")]


def put(tokens, start, end, text):
    return tokens[:start] + tokenize(text) + tokens[end:]


def change(*kinds):
    """The mutation that puts what the function gives in the place of a token of one of these kinds."""
    def wrap(function):
        def mutation(rng, tokens, pool):
            found = places(tokens, *kinds)
            if not found:
                return None
            i = rng.choice(found)
            return put(tokens, i, i + 1, function(rng, tokens[i], pool))
        return mutation
    return wrap


def is_type(token):
    return re.fullmatch(r"[su]?i\d+|b?f\d+\w*|tf32|index|none|!.*", token)


def change_type(rng, tokens, _):
    found = [i for i, (_, text) in enumerate(tokens) if is_type(text)]
    found = [(i, i + 1) for i in found] + [s for s in spans(tokens) if tokens[s[0]][1] in ("tensor", "memref", "vector", "tuple", "complex")]
    return put(tokens, *rng.choice(found), rng.choice(TYPES)) if found else None


def duplicate(rng, tokens, _):
    i = rng.choice(places(tokens))
    return tokens[:i] + [tokens[i], tokens[i]] + tokens[i + 1:]


def swap(rng, tokens, _):
    found = places(tokens)
    i = rng.randrange(len(found))
    a, b = found[i], found[(i + rng.choice((1, 1, 2, 3))) % len(found)]
    tokens = list(tokens)
    tokens[a], tokens[b] = tokens[b], tokens[a]
    return tokens


def insert(rng, tokens, pool):
    i = rng.choice(places(tokens))
    return put(tokens, i, i, rng.choice(("", " ")) + rng.choice((pool.any(rng), rng.choice(WORDS), rng.choice(pool.spans))) + " ")


def splice(rng, tokens, pool):
    found = list(spans(tokens))
    return put(tokens, *rng.choice(found), rng.choice(pool.spans)) if found else None


def drop_span(rng, tokens, _):
    found = list(spans(tokens))
    return put(tokens, *rng.choice(found), "") if found else None


def drop_bracket(rng, tokens, _):
    found = [i for i, (_, text) in enumerate(tokens) if text in "()[]{}<>"]
    return put(tokens, (i := rng.choice(found)), i + 1, "") if found else None


def cut(rng, tokens, _):
    return tokens[:rng.choice(places(tokens))] + [("space", "\n")]


def entries(tokens, start, end):
    """The parts between the commas of a bracket; None where one holds no `=`."""
    parts, depth = [[]], 0
    for token in tokens[start:end]:
        depth += (token[1] in CLOSES) - (token[1] in CLOSES.values())
        if token[1] == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts if all("=" in (text for _, text in part) for part in parts) else None


def reorder(rng, tokens, _):
    found = [(s + 1, e - 1) for s, e in spans(tokens) if tokens[s][1] == "{" and entries(tokens, s + 1, e - 1)]
    if not found:
        return None
    start, end = rng.choice(found)
    parts = entries(tokens, start, end)
    rng.shuffle(parts)
    joined = [token for part in parts for token in [("punct", ",")] + part][1:]
    return tokens[:start] + joined + tokens[end:]


def wrap(rng, tokens, _):
    head = rng.choice(("module {", "builtin.module @m {", "module attributes {u.a = 1 : i32} {", '"u.op"() ({', "func.func @wrapped() {"))
    tail = "\n}) : () -> ()\n" if head.startswith('"') else "\n}\n"
    return tokenize(head + "\n") + tokens + tokenize(tail)


def locate(rng, tokens, _):
    found = [i for i, (kind, text) in enumerate(tokens) if kind == "space" and "\n" in text]
    locations = [word for word in WORDS if word.startswith("loc(")] + ["loc(#l)"]
    if not found:
        return None
    i = rng.choice(found)
    return put(tokens, i, i, " " + rng.choice(locations)) + tokenize(rng.choice(("", '\n#l = loc("l":1:1)\n')))


def alias(rng, tokens, _):
    found = [(i, i + 1, "!al", text) for i, (_, text) in enumerate(tokens) if is_type(text)]
    found += [(s, e, "!al" if tokens[s][0] == "type" or tokens[s][1] in ("tensor", "memref", "vector") else "#al", join(tokens[s:e]))
              for s, e in spans(tokens)]
    if not found:
        return None
    start, end, name, text = rng.choice(found)
    line = tokenize(f"\n{name} = {text}\n")
    tokens = put(tokens, start, end, name)
    return line + tokens if rng.random() < 0.5 else tokens + line


def respace(rng, tokens, _):
    """Spaces become line ends or go, or a comment stands between two tokens."""
    if rng.random() < 0.5:
        i = rng.choice(places(tokens))
        return put(tokens, i, i, rng.choice(("// c\n", " ", "\t\r\n", "//\n", "/", "\0", "\x7f", "é")))
    style = rng.choice((" ", "\n", "\n\n  "))
    return [(kind, style if kind == "space" and rng.random() < 0.5 else text) for kind, text in tokens if kind != "comment"]


MUTATIONS = {
    "delete": change()(lambda rng, token, pool: ""),
    "duplicate": duplicate,
    "swap": swap,
    "same kind": change()(lambda rng, token, pool: rng.choice(pool.kinds[token[0]])),
    "another kind": change()(lambda rng, token, pool: pool.any(rng)),
    "word": change()(lambda rng, token, pool: rng.choice(WORDS)),
    "insert": insert,
    "splice": splice,
    "number": change("number")(lambda rng, token, pool: rng.choice(NUMBERS)),
    "string": change("string", "symbol", "value", "block")(lambda rng, token, pool: token[1][:-1] + rng.choice(("\\00\"", "\\q", "", "é\"", "\\\\\"", "$", "0"))),
    "type": change_type,
    "drop span": drop_span,
    "drop bracket": drop_bracket,
    "cut": cut,
    "reorder": reorder,
    "wrap": wrap,
    "locate": locate,
    "alias": alias,
    "respace": respace,
}


# Those that often leave a valid text.
MILD = ["same kind", "number", "string", "type", "drop span", "reorder", "wrap", "locate", "alias", "respace"]


def mutate(rng, text, pool):
    """(names of the mutations, variant)."""
    tokens, names, choice = tokenize(text), [], rng.choice((MILD, list(MUTATIONS)))
    while not names or rng.random() < 0.2:
        name = rng.choice(choice)
        changed = places(tokens) and MUTATIONS[name](rng, tokens, pool)
        if changed:
            tokens = changed
            names.append(name)
    return names, join(tokens).rstrip("\n") + "\n"
