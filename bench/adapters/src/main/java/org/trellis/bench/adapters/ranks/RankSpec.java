package org.trellis.bench.adapters.ranks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What the processes of a peer are to do.
 *
 * @param peer              the name of the peer
 * @param libraries         names under which the system's loader may have its library
 * @param options           options of the library, by name
 * @param blockSize         unknowns of a node, a divisor of the number of rows
 * @param tolerance         share of the norm of the right-hand side
 * @param absolute          norm of the residual that is small enough in any case
 * @param maximumIterations iterations allowed
 * @param system            file with the system
 * @param solution          file for the solution, a double for each row
 * @param port              where the process that measures listens, on this machine
 * @param token             what a process says to be let in
 * @param processes         how many there are
 */
record RankSpec(String peer, List<String> libraries, Map<String, String> options, int blockSize, double tolerance,
        double absolute, int maximumIterations, String system, String solution, int port, String token,
        int processes) {
    /** Writes and reads everything that is said between processes. */
    static final ObjectMapper MAPPER = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    static RankSpec read(Path file) throws IOException {
        return MAPPER.readValue(file.toFile(), RankSpec.class);
    }

    void write(Path file) throws IOException {
        MAPPER.writeValue(file.toFile(), this);
    }

    /** Writes a line that one process says to another. */
    static String line(Object said) {
        try {
            return MAPPER.writeValueAsString(said);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a line between processes cannot be written: " + said, e);
        }
    }

    /** What a process says first. */
    record Hello(String token, int rank, int size, long pid, String library, String mpi, String error) {}

    /** What a process says after a solution. */
    record Answer(double setupSeconds, double solveSeconds, int iterations, boolean converged, double residual,
            String reason, String error) {
        static Answer of(double setupSeconds, double solveSeconds, RankSolver.Outcome outcome) {
            return new Answer(setupSeconds, solveSeconds, outcome.iterations(), outcome.converged(),
                    outcome.residual(), outcome.reason(), null);
        }

        static Answer failed(String error) {
            return new Answer(0, 0, 0, false, 0, "", error);
        }
    }

    /** What a process says that was only to look for the library. */
    record Found(String library, String family, String mpi, String error) {}
}
