/** A program with kernels of its own that is a module. */
module com.example.modular {
    requires org.trellis.core;
}
