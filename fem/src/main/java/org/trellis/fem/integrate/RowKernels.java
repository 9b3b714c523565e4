package org.trellis.fem.integrate;

/** What a backend has for the inner loops of integrals, in both precisions. */
public interface RowKernels {
    /** Loops that the JIT compiler is left alone with. */
    RowKernels PLAIN = new RowKernels() {
        @Override
        public DoubleRowKernels doubles() {
            return DoubleRowKernels.PLAIN;
        }

        @Override
        public FloatRowKernels floats() {
            return FloatRowKernels.PLAIN;
        }
    };

    /**
     * Returns those of double precision.
     *
     * @return without state
     */
    DoubleRowKernels doubles();

    /**
     * Returns those of single precision.
     *
     * @return without state
     */
    FloatRowKernels floats();
}
