/**
 * Turns methods annotated with {@code org.trellis.kernel.MeshKernel} into loops for the CPU and CUDA C. Needed at
 * compile time only.
 */
module org.trellis.processor {
    requires transitive java.compiler;
    requires jdk.compiler;

    exports org.trellis.processor;

    provides javax.annotation.processing.Processor with
            org.trellis.processor.MeshKernelProcessor;
}
