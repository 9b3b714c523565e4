package org.trellis.mesh.checkpoint;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a checkpoint says before the values of dats.
 *
 * @param run         a number of the run that began; later ones that have started again keep it
 * @param generation  the number of the checkpoint, from 1
 * @param rank        the rank whose values follow
 * @param ranks       how many there are
 * @param position    how many steps had been run
 * @param log         the name of the log file beside
 * @param logged      how long it is for this checkpoint
 * @param facts       what mesh, data and options were
 * @param steps       descriptions of steps by their numbers
 * @param given       for each dat, what the program had given it, in one number
 * @param globals     the values of globals that steps had changed
 * @param scalars     the values of scalars that steps had changed
 * @param chains      how chains of loops run on the rank
 */
record CheckpointHead(long run, int generation, int rank, int ranks, long position, String log, long logged,
        Map<String, String> facts, List<String> steps, Map<String, Long> given, Map<String, double[]> globals,
        Map<String, double[]> scalars, Map<String, double[]> chains) {

    void write(DataOutput out) throws IOException {
        out.writeLong(run);
        out.writeInt(generation);
        out.writeInt(rank);
        out.writeInt(ranks);
        out.writeLong(position);
        write(out, log);
        out.writeLong(logged);
        out.writeInt(facts.size());
        for (Map.Entry<String, String> fact : facts.entrySet()) {
            write(out, fact.getKey());
            write(out, fact.getValue());
        }
        out.writeInt(steps.size());
        for (String step : steps) {
            write(out, step);
        }
        out.writeInt(given.size());
        for (Map.Entry<String, Long> dat : given.entrySet()) {
            write(out, dat.getKey());
            out.writeLong(dat.getValue());
        }
        write(out, globals);
        write(out, scalars);
        write(out, chains);
    }

    private static void write(DataOutput out, Map<String, double[]> values) throws IOException {
        out.writeInt(values.size());
        for (Map.Entry<String, double[]> entry : values.entrySet()) {
            write(out, entry.getKey());
            out.writeInt(entry.getValue().length);
            for (double value : entry.getValue()) {
                out.writeDouble(value);
            }
        }
    }

    private static void write(DataOutput out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static CheckpointHead read(DataInput in) throws IOException {
        long run = in.readLong();
        int generation = in.readInt();
        int rank = in.readInt();
        int ranks = in.readInt();
        long position = in.readLong();
        String log = readText(in);
        long logged = in.readLong();
        Map<String, String> facts = new LinkedHashMap<>();
        for (int count = in.readInt(); count > 0; count--) {
            facts.put(readText(in), readText(in));
        }
        List<String> steps = new ArrayList<>();
        for (int count = in.readInt(); count > 0; count--) {
            steps.add(readText(in));
        }
        Map<String, Long> given = new LinkedHashMap<>();
        for (int count = in.readInt(); count > 0; count--) {
            given.put(readText(in), in.readLong());
        }
        return new CheckpointHead(run, generation, rank, ranks, position, log, logged, facts, steps, given,
                readValues(in), readValues(in), readValues(in));
    }

    private static Map<String, double[]> readValues(DataInput in) throws IOException {
        Map<String, double[]> values = new LinkedHashMap<>();
        for (int count = in.readInt(); count > 0; count--) {
            String name = readText(in);
            double[] numbers = new double[in.readInt()];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = in.readDouble();
            }
            values.put(name, numbers);
        }
        return values;
    }

    private static String readText(DataInput in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
