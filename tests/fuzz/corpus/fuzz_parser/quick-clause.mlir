cake.kernel @k() target("sm_90a") {
  cake.barrier @one
  cake.barrier @two rolemeet(@c)
}
