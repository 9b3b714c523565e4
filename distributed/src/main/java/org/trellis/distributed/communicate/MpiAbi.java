package org.trellis.distributed.communicate;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import org.trellis.common.BackendUnavailableException;

/**
 * The binary interface of an MPI library: what a handle is and which values its constants have. Handles are longs in
 * Java whatever they are in C.
 */
enum MpiAbi {
    /** Handles are addresses of symbols of the library. */
    OPEN_MPI(Long.BYTES, 1, 24),
    /** Handles are ints: MPICH, Intel MPI, MVAPICH. */
    MPICH(Integer.BYTES, 1, 20),
    /** Handles are constants of the size of pointers: the standard of MPI 5.0, chapter 20. */
    STANDARD(Long.BYTES, 1024, 32);

    /** The constants that are used. */
    enum Constant {
        /** All ranks. */
        COMM_WORLD("ompi_mpi_comm_world", 0x44000000, 0x101),
        /** Errors are return codes. */
        ERRORS_RETURN("ompi_mpi_errors_return", 0x54000001, 0x142),
        /** No request. */
        REQUEST_NULL("ompi_request_null", 0x2c000000, 0x180),
        /** Bytes. */
        BYTE("ompi_mpi_byte", 0x4c00010d, 0x247),
        /** Ints. */
        INT("ompi_mpi_int", 0x4c000405, 0x209),
        /** Longs of 64 bits. */
        INT64("ompi_mpi_int64_t", 0x4c00083a, 0x258),
        /** Doubles. */
        DOUBLE("ompi_mpi_double", 0x4c00080b, 0x214),
        /** Sums. */
        SUM("ompi_mpi_op_sum", 0x58000003, 0x21),
        /** Minima. */
        MIN("ompi_mpi_op_min", 0x58000002, 0x22),
        /** Maxima. */
        MAX("ompi_mpi_op_max", 0x58000001, 0x23);

        private final String openMpiSymbol;
        private final long mpich;
        private final long standard;

        Constant(String openMpiSymbol, long mpich, long standard) {
            this.openMpiSymbol = openMpiSymbol;
            this.mpich = mpich;
            this.standard = standard;
        }
    }

    private final int handleBytes;
    private final int funneled;
    private final int statusBytes;

    MpiAbi(int handleBytes, int funneled, int statusBytes) {
        this.handleBytes = handleBytes;
        this.funneled = funneled;
        this.statusBytes = statusBytes;
    }

    int handleBytes() {
        return handleBytes;
    }

    /** The value of {@code MPI_THREAD_FUNNELED}. */
    int funneled() {
        return funneled;
    }

    int statusBytes() {
        return statusBytes;
    }

    long value(Constant constant, SymbolLookup symbols) {
        return switch (this) {
            case OPEN_MPI -> symbols.find(constant.openMpiSymbol).map(MemorySegment::address)
                    .orElseThrow(() -> new BackendUnavailableException("the MPI library has no symbol "
                            + constant.openMpiSymbol + ", which every Open MPI has"));
            case MPICH -> constant.mpich;
            case STANDARD -> constant.standard;
        };
    }
}
