package org.trellis.bench.adapters.ranks;

import java.lang.foreign.Arena;
import java.util.Map;

/** What a process of a peer's library does; the same on all of them, between the beginning and the end of MPI. */
public interface RankProgram {
    /**
     * Says what library it is. Before MPI has begun.
     *
     * @param library the library
     * @return its name and version
     */
    String version(NativeLibrary library);

    /**
     * Begins to use the library and finds out how wide its integers are.
     *
     * @param library the library
     * @param mpi     MPI, which has begun
     */
    void begin(NativeLibrary library, MpiCalls mpi);

    /**
     * Hands this process's rows to the library.
     *
     * @param library the library
     * @param mpi     MPI
     * @param rows    the rows
     * @param order   what is to be done
     * @param arena   as long as the solver is used
     * @return the solver
     */
    RankSolver open(NativeLibrary library, MpiCalls mpi, RankRows rows, Order order, Arena arena);

    /**
     * Ends to use the library.
     *
     * @param library the library
     */
    void end(NativeLibrary library);

    /**
     * How a system is to be solved.
     *
     * @param options           options of the library, by name
     * @param blockSize         unknowns of a node
     * @param tolerance         share of the norm of the right-hand side
     * @param absolute          norm of the residual that is small enough in any case
     * @param maximumIterations iterations allowed
     */
    record Order(Map<String, String> options, int blockSize, double tolerance, double absolute,
            int maximumIterations) {
        /** Copies the options. */
        public Order {
            options = Map.copyOf(options);
        }
    }
}
