package org.trellis.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.fem.integrate.FormKernels;
import org.trellis.kernel.LoopKernel;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.sparse.ElementKernels;

/**
 * Sweeps over a copy of rows that are kept in pieces: two loops for the rows of a colour, of equal length so that
 * nothing is padded. An application reads the values twice, whatever the number of colours.
 */
final class RowSweeps implements ColourSweeps {
    private static final int GRAIN = 256;

    private final ElementKernels elements;
    private final FrozenRows source;
    private final Mesh mesh;
    private final MeshSet unknowns;
    private final Dat d;
    private final Dat r;
    private final Dat y;
    private final Dat z;
    private final LoopSequence both;

    @SuppressWarnings("MustBeClosed") // closed with this
    RowSweeps(FrozenRows source, int total, RowColours colours, DenseVector inverse, Backend backend) {
        this.source = source;
        this.elements = backend.kernels(ElementKernels.class);
        Precision precision = inverse.precision();
        mesh = Mesh.on(backend);
        // Constrained unknowns come last, and stay zero.
        unknowns = mesh.set("unknowns", total);
        HostVector values = HostVector.zeros(precision, inverse.length());
        inverse.copyTo(values);
        d = mesh.dat("inverse diagonal", unknowns, 1, precision, Arrays.copyOf(values.toDoubleArray(), total));
        r = mesh.dat("r", unknowns, 1, precision);
        y = mesh.dat("y", unknowns, 1, precision);
        z = mesh.dat("z", unknowns, 1, precision);
        LoopSequence.Builder sequence = mesh.sequence("sweeps");
        int[] order = sorted(colours);
        Group[] groups = groups(order, colours);
        sequence.run(mesh.loop(FormUpdatesLoops.CLEAR, unknowns, y));
        for (Group group : groups) {
            group.add(sequence, y, FormUpdatesLoops.SWEEP_FORWARD, r.at(group.own, 0));
        }
        sequence.run(mesh.loop(FormUpdatesLoops.CLEAR, unknowns, z));
        for (int g = groups.length - 1; g >= 0; g--) {
            groups[g].add(sequence, z, FormUpdatesLoops.SWEEP_BACKWARD, y.at(groups[g].own, 0));
        }
        both = sequence.build();
    }

    /** Returns the rows by colour, those of a colour by length. */
    private int[] sorted(RowColours colours) {
        int[] order = new int[colours.order().length];
        ParallelRanges.run(colours.count(), 1, (from, to) -> {
            for (int c = from; c < to; c++) {
                int first = colours.offsets()[c];
                int[] some = Arrays.stream(colours.order(), first, colours.offsets()[c + 1]).boxed()
                        .sorted(Comparator.comparingInt(source::length)).mapToInt(Integer::intValue).toArray();
                System.arraycopy(some, 0, order, first, some.length);
            }
        });
        return order;
    }

    private Group[] groups(int[] order, RowColours colours) {
        IntStream.Builder starts = IntStream.builder();
        for (int c = 0; c < colours.count(); c++) {
            for (int k = colours.offsets()[c]; k < colours.offsets()[c + 1]; k++) {
                if (k == colours.offsets()[c] || source.length(order[k]) != source.length(order[k - 1])) {
                    starts.add(k);
                }
            }
        }
        int[] first = starts.build().toArray();
        Group[] groups = new Group[first.length];
        for (int g = 0; g < first.length; g++) {
            int end = g + 1 < first.length ? first[g + 1] : order.length;
            groups[g] = new Group(g, Arrays.copyOfRange(order, first[g], end));
        }
        return groups;
    }

    /** Rows of one colour and one length. */
    private final class Group {
        private final MeshSet set;
        private final MeshMap own;
        private final MeshMap columns;
        private final Dat values;
        private final Dat sums;
        private final int length;

        Group(int number, int[] members) {
            length = source.length(members[0]);
            set = mesh.set("rows of group " + number, members.length);
            own = mesh.map("rows " + number, set, unknowns, 1, members);
            int[] table = new int[Checks.arrayLength("columns of a colour", (long) members.length * length)];
            double[] kept = new double[table.length];
            ParallelRanges.run(members.length, GRAIN, (from, to) -> {
                for (int k = from; k < to; k++) {
                    source.copy(members[k], kept, table, k * length);
                }
            });
            columns = mesh.map("columns " + number, set, unknowns, length, table);
            values = mesh.dat("values " + number, set, length, r.precision(), kept);
            sums = mesh.dat("sums " + number, set, 1, r.precision());
        }

        /** Adds the loops that multiply the rows by what a sweep has made so far, and make their own. */
        void add(LoopSequence.Builder sequence, Dat made, LoopKernel update, LoopArgument base) {
            ParallelLoop product =
                    mesh.loop(FormKernels.paddedRow(1, length), set, values, made.at(columns), sums);
            sequence.run(product).run(mesh.loop(update, set, d.at(own, 0), base, sums, made.at(own, 0)));
        }
    }

    @Override
    @MustBeClosed
    public PreparedStep bind(DenseVector from, DenseVector room, DenseVector into) {
        DenseVector result = z.vector().part(0, into.length());
        DenseVector copy = r.vector().part(0, from.length());
        return () -> {
            elements.update(1, null, from, 0, copy);
            both.run();
            elements.update(1, null, result, 0, into);
        };
    }

    @Override
    public void close() {
        mesh.close();
    }

    @Override
    public String toString() {
        return "by rows";
    }
}
