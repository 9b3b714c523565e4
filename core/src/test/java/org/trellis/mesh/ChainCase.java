package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.trellis.common.Precision;

/**
 * A random program: loops with all kinds of access on four sets in random order, with values read and set in between.
 * Two made with the same seed do the same.
 */
public final class ChainCase {
    private static final int DATS = 3;
    private static final int MOST_LOOPS = 11;

    private final Mesh mesh;
    private final SplittableRandom random;
    private final MeshSet[] sets;
    private final Dat[][] dats;
    private final Dat[] marks;
    private final MeshMap edgeNodes;
    private final MeshMap edgeCells;
    private final MeshMap cellNodes;
    private final MeshMap nodeEdges;
    private final Global sum;
    private final Global least;
    private final Global most;
    private final Global count;
    private final Scalars scalars;
    private final List<Runnable> program = new ArrayList<>();
    private final List<Double> seen = new ArrayList<>();

    /**
     * Makes a mesh and a program.
     *
     * @param mesh      an empty mesh
     * @param precision of the dats
     * @param seed      decides about everything
     * @param declared  whether loops of the program that follow each other are declared as sequences
     */
    public ChainCase(Mesh mesh, Precision precision, long seed, boolean declared) {
        this.mesh = mesh;
        random = new SplittableRandom(seed);
        int nodes = 20 + random.nextInt(200);
        int[] sizes = {nodes, 2 * nodes + random.nextInt(20), nodes / 2 + random.nextInt(9), 1 + random.nextInt(40)};
        String[] names = {"nodes", "edges", "cells", "others"};
        sets = new MeshSet[sizes.length];
        dats = new Dat[sizes.length][DATS];
        marks = new Dat[sizes.length];
        for (int s = 0; s < sizes.length; s++) {
            sets[s] = mesh.set(names[s], sizes[s]);
            for (int d = 0; d < DATS; d++) {
                dats[s][d] = mesh.dat(names[s] + d, sets[s], 2, precision, RandomMesh.values(2 * sizes[s], random));
            }
            marks[s] = mesh.intDat("mark of " + names[s], sets[s], 1, new int[sizes[s]]).fill(3);
        }
        edgeNodes = map("edge to nodes", 1, 0, 2);
        edgeCells = map("edge to cells", 1, 2, 2);
        cellNodes = map("cell to nodes", 2, 0, 3);
        int[] offsets = RandomMesh.offsets(nodes, random);
        nodeEdges = mesh.map("node to edges", sets[0], sets[1], offsets,
                RandomMesh.table(offsets[nodes], 1, sizes[1], random));
        sum = mesh.global("sum", 1);
        least = mesh.global("least", 1e9);
        most = mesh.global("most", -1e9);
        count = mesh.intGlobal("count", 2);
        scalars = mesh.scalars("scalars", 3);
        int length = 2 + random.nextInt(MOST_LOOPS - 1);
        if (declared) {
            LoopSequence.Builder sequence = mesh.sequence("chain");
            for (int i = 0; i < length; i++) {
                if (random.nextInt(6) == 0) {
                    sequence.set(sum, random.nextInt(9));
                }
                sequence.run(loop());
            }
            program.add(sequence.build()::run);
        } else {
            for (int i = 0; i < length; i++) {
                program.add(loop()::run);
                addLook();
            }
        }
    }

    private MeshMap map(String name, int from, int to, int arity) {
        return mesh.map(name, sets[from], sets[to], arity,
                RandomMesh.table(sets[from].size(), arity, sets[to].size(), random));
    }

    /** Adds something that looks at values, or changes them, between two loops. */
    private void addLook() {
        int kind = random.nextInt(24);
        int value = random.nextInt(7);
        Dat dat = any(random.nextInt(sets.length));
        switch (kind) {
            case 0 -> program.add(() -> seen.add(sum.get()));
            case 1 -> program.add(() -> seen.add(dat.get(0, 1)));
            case 2 -> program.add(() -> dat.set(0, 0, value));
            case 3, 4, 5 -> program.add(() -> sum.set(value));
            case 6 -> program.add(() -> dat.fill(value));
            case 7 -> program.add(() -> seen.add(scalars.get(1)));
            case 8 -> program.add(() -> count.set(value));
            default -> {}
        }
    }

    private Dat any(int set) {
        return dats[set][random.nextInt(DATS)];
    }

    private Dat other(Dat than, int set) {
        Dat found = any(set);
        while (found.equals(than)) {
            found = any(set);
        }
        return found;
    }

    private ParallelLoop loop() {
        int s = random.nextInt(sets.length);
        Dat own = any(s);
        Dat node = any(0);
        Dat edge = any(1);
        Dat cell = any(2);
        return switch (random.nextInt(13)) {
            case 0 -> mesh.loop(ChainKernelsLoops.COPY, sets[s], own, other(own, s));
            case 1 -> mesh.loop(ChainKernelsLoops.TURN, sets[s], own);
            case 2 -> mesh.loop(ChainKernelsLoops.ADD, sets[s], own, other(own, s));
            case 3 -> mesh.loop(ChainKernelsLoops.DIFFERENCE, sets[1], node.at(edgeNodes, 1), node.at(edgeNodes, 0),
                    edge);
            case 4 -> mesh.loop(ChainKernelsLoops.SCATTER, sets[1], edge, node.at(edgeNodes, 0),
                    node.at(edgeNodes, 1));
            case 5 -> mesh.loop(ChainKernelsLoops.FLUX, sets[1], node.at(edgeNodes, 0), node.at(edgeNodes, 1), edge,
                    cell.at(edgeCells, 0), cell.at(edgeCells, 1));
            case 6 -> mesh.loop(ChainKernelsLoops.COLLECT, sets[2], node.at(cellNodes), cell);
            case 7 -> mesh.loop(ChainKernelsLoops.SPREAD, sets[2], cell, node.at(cellNodes));
            case 8 -> mesh.loop(ChainKernelsLoops.ROWS, sets[0], edge.at(nodeEdges), node);
            case 9 -> mesh.loop(ChainKernelsLoops.MEASURE, sets[s], own, sum, least, most);
            case 10 -> mesh.loop(ChainKernelsLoops.MEASURE, sets[s], own, scalars.at(0), scalars.at(1),
                    scalars.at(2));
            case 11 -> mesh.loop(ChainKernelsLoops.NUMBER, sets[1], edge, marks[1], marks[0].at(edgeNodes, 1), count);
            default -> mesh.loop(ChainKernelsLoops.SHIFT, sets[s], own,
                    random.nextBoolean() ? sum : scalars.at(random.nextInt(3)));
        };
    }

    /** Gives all dats of real numbers values whose sums depend on the order. */
    public void takeFractions() {
        for (Dat[] ofSet : dats) {
            for (Dat dat : ofSet) {
                double[] values = dat.toArray();
                Arrays.setAll(values, i -> values[i] / 7 + 0.1);
                dat.setAll(values);
            }
        }
    }

    /** Runs the program once. */
    public void run() {
        program.forEach(Runnable::run);
    }

    /**
     * Requires the values of another one.
     *
     * @param expected  what has done the same
     * @param context   for messages
     * @param tolerance relative, 0 where sums are exact
     */
    public void requireSame(ChainCase expected, String context, double tolerance) {
        assertEquals(expected.seen, seen, context + ": values seen on the way");
        for (int i = 0; i < mesh.dats().size(); i++) {
            assertArrayEquals(expected.mesh.dats().get(i).toArray(), mesh.dats().get(i).toArray(), tolerance,
                    context + ": " + mesh.dats().get(i));
        }
        assertEquals(expected.sum.get(), sum.get(), context + ": sum");
        assertEquals(expected.least.get(), least.get(), context + ": least");
        assertEquals(expected.most.get(), most.get(), context + ": most");
        assertEquals(expected.count.get(), count.get(), context + ": count");
        for (int i = 0; i < scalars.count(); i++) {
            assertEquals(expected.scalars.get(i), scalars.get(i), context + ": scalar " + i);
        }
    }
}
