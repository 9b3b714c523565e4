package org.trellis.mesh.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.trellis.mesh.Global;
import org.trellis.mesh.Scalars;

/**
 * What a checkpoint begins with: everything but values of dats. The program waits for it, so that code which runs for
 * the first time would be most of the wait: {@link #rehearse} runs it before.
 */
final class CheckpointStart {
    private CheckpointStart() {}

    /**
     * Which checkpoint it is.
     *
     * @param run        the run of the program
     * @param generation the number of the checkpoint
     * @param rank       the rank
     * @param ranks      how many there are
     * @param log        the name of the log
     * @param logged     its bytes so far
     * @param facts      of the mesh
     */
    record Name(long run, int generation, int rank, int ranks, String log, long logged, Map<String, String> facts) {}

    /**
     * Collects what a checkpoint begins with.
     *
     * @param name   which one
     * @param log    the steps so far
     * @param chains how chains run from now on
     * @param before the step before which it is taken
     * @param start  when the program began to wait
     * @return a job without dats
     */
    static CheckpointWriter.Job of(Name name, StepLog log, Map<String, double[]> chains, String before, long start) {
        ByteArrayOutputStream sequence = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(sequence)) {
            log.sequence().write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, double[]> globals = new LinkedHashMap<>();
        Map<String, double[]> scalars = new LinkedHashMap<>();
        for (Global global : log.globals()) {
            globals.put(global.name(), values(global));
        }
        for (Scalars some : log.scalars()) {
            scalars.put(log.name(some), values(some));
        }
        return new CheckpointWriter.Job(new CheckpointHead(name.run(), name.generation(), name.rank(), name.ranks(),
                log.steps(), name.log(), name.logged(), name.facts(), log.descriptions(), log.given(), globals,
                scalars, chains), sequence.toByteArray(), before, start);
    }

    static double[] values(Global global) {
        double[] values = new double[global.components()];
        for (int c = 0; c < values.length; c++) {
            values[c] = global.get(c);
        }
        return values;
    }

    static double[] values(Scalars scalars) {
        double[] values = new double[scalars.count()];
        scalars.copyTo(values);
        return values;
    }

    /** Writes a checkpoint with nothing in it nowhere: loads classes, and what copies on several cores. */
    static void rehearse() {
        CheckpointWriter.Job job = of(new Name(0, 0, 0, 1, "", 0, Map.of()), new StepLog(null), Map.of(), "",
                System.nanoTime());
        job.end();
        try (BlockOutput blocks = new BlockOutput(OutputStream.nullOutputStream(), false)) {
            CheckpointWriter.write(job, blocks);
        } catch (IOException e) {
            throw new UncheckedIOException("nowhere cannot be written to", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        IntStream.range(0, 2).parallel().forEach(part -> job.block(0));
    }
}
