package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.mesh.CallStep;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.RankRows;
import org.trellis.mesh.Scalars;
import org.trellis.mesh.loop.Layout;
import org.trellis.testing.InterpretedKernel;

/**
 * A random program on a random mesh: sets, maps of every kind, loops with every access, sequences. Two made with the
 * same seed are the same program. All values are whole numbers, so that every order of additions gives the same.
 */
public final class RandomProgram {
    private static final int MOST_ELEMENTS = 60;
    private static final int MODULUS = 1009;

    private final SplittableRandom random;
    private final Mesh mesh;
    /** Which rank brings the rows of a map or dat; null if all are declared whole. */
    private final SplittableRandom dealer;
    private final boolean restless;
    private final List<MeshSet> sets = new ArrayList<>();
    private final List<MeshMap> maps = new ArrayList<>();
    /** Maps that lead to each element at most once. */
    private final List<MeshMap> injective = new ArrayList<>();
    private final List<Dat> dats = new ArrayList<>();
    private final List<Global> globals = new ArrayList<>();
    private final Scalars scalars;
    private final List<ParallelLoop> loops = new ArrayList<>();
    private final List<LoopSequence> sequences = new ArrayList<>();

    /**
     * Makes a program whose sets, maps and dats are declared whole.
     *
     * @param mesh a mesh in which there is nothing so far
     * @param seed which program
     */
    public RandomProgram(Mesh mesh, long seed) {
        this(mesh, seed, null, false);
    }

    /**
     * Makes a program that changes layouts as it goes, and numberings before its first loop.
     *
     * @param mesh   a mesh in which there is nothing so far
     * @param seed   which program
     * @param dealer which rank brings the rows of a map or dat; null if all are declared whole
     * @return the program
     */
    public static RandomProgram restless(Mesh mesh, long seed, SplittableRandom dealer) {
        return new RandomProgram(mesh, seed, dealer, true);
    }

    /**
     * Makes a program whose ranks bring rows, as they were dealt out; the same one as without.
     *
     * @param mesh   a mesh in which there is nothing so far
     * @param seed   which program
     * @param dealer which rank brings the rows of a map or dat; null if all are declared whole
     */
    public RandomProgram(Mesh mesh, long seed, SplittableRandom dealer) {
        this(mesh, seed, dealer, false);
    }

    private RandomProgram(Mesh mesh, long seed, SplittableRandom dealer, boolean restless) {
        this.mesh = mesh;
        this.restless = restless;
        this.random = new SplittableRandom(seed);
        this.dealer = dealer;
        Precision precision = random.nextBoolean() ? Precision.F64 : Precision.F32;
        int count = random.nextInt(1, 5);
        for (int s = 0; s < count; s++) {
            sets.add(mesh.set("set " + s, random.nextInt(8) == 0 ? random.nextInt(2) : random.nextInt(MOST_ELEMENTS)));
        }
        for (int m = 0; m < 2 * count; m++) {
            declareMap(m);
        }
        for (int d = 0; d < 2 * count + 2; d++) {
            MeshSet set = sets.get(d % count);
            int components = random.nextInt(1, 4);
            dats.add(declareDat("dat " + d, set, components, precision, values(set.size() * components)));
        }
        globals.add(mesh.global("sum", 0));
        globals.add(mesh.global("least", 0));
        globals.add(mesh.global("greatest", 0));
        globals.add(mesh.global("factor", 3));
        scalars = mesh.scalars("scalars", 3);
        for (int l = 0; l < 7; l++) {
            declareLoop(l);
        }
        for (int s = 0; s < 2; s++) {
            declareSequence(s);
        }
        if (restless) {
            sets.forEach(this::renumber);
        }
    }

    /** Renumbers a set, where ranks bring nothing: then it has to be in the user's order. */
    private void renumber(MeshSet set) {
        boolean wanted = random.nextBoolean();
        Permutation order = Permutation.random(set.size(), random);
        if (wanted && dealer == null) {
            mesh.renumber(set, order);
        }
    }

    private double[] values(int count) {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextInt(-20, 21);
        }
        return values;
    }

    /** A number below a bound, mostly near a place that corresponds to an element. */
    private int target(int element, int elements, int targets) {
        int near = (int) ((long) element * targets / elements) + random.nextInt(-1, 2);
        return random.nextInt(8) == 0 ? random.nextInt(targets) : Math.clamp(near, 0, targets - 1);
    }

    private void declareMap(int number) {
        MeshSet from = sets.get(random.nextInt(sets.size()));
        MeshSet to = sets.get(random.nextInt(sets.size()));
        String name = "map " + number;
        if (from.size() <= to.size() && random.nextInt(3) == 0) {
            int shift = to.size() == 0 ? 0 : random.nextInt(to.size());
            int[] targets = new int[from.size()];
            for (int e = 0; e < targets.length; e++) {
                targets[e] = (e + shift) % to.size();
            }
            MeshMap map = declare(name, from, to, 1, targets);
            maps.add(map);
            injective.add(map);
        } else if (to.size() > 0 && random.nextInt(4) == 0) {
            int[] offsets = new int[from.size() + 1];
            for (int e = 0; e < from.size(); e++) {
                offsets[e + 1] = offsets[e] + random.nextInt(4);
            }
            int[] targets = new int[offsets[from.size()]];
            for (int e = 0; e < from.size(); e++) {
                for (int p = offsets[e]; p < offsets[e + 1]; p++) {
                    targets[p] = target(e, from.size(), to.size());
                }
            }
            maps.add(declare(name, from, to, offsets, targets));
        } else if (to.size() > 0) {
            int arity = random.nextInt(1, 4);
            int[] targets = new int[from.size() * arity];
            for (int i = 0; i < targets.length; i++) {
                targets[i] = target(i / arity, from.size(), to.size());
            }
            maps.add(declare(name, from, to, arity, targets));
        }
    }

    /** Deals out elements; returns this rank's in an order of its own, or null if all ranks declare everything. */
    private int[] dealt(MeshSet set) {
        if (dealer == null || dealer.nextInt(5) == 0) {
            return null;
        }
        int ranks = mesh.ranks().orElseThrow().ranks();
        int rank = mesh.ranks().orElseThrow().rank();
        boolean blocks = dealer.nextInt(3) == 0;
        List<Integer> own = new ArrayList<>();
        for (int e = 0; e < set.size(); e++) {
            int taker = dealer.nextInt(ranks);
            if ((blocks ? e * ranks / set.size() : taker) == rank) {
                own.add(dealer.nextBoolean() ? own.size() : 0, e);
            } else {
                dealer.nextBoolean();
            }
        }
        return own.stream().mapToInt(Integer::intValue).toArray();
    }

    private Dat declareDat(String name, MeshSet set, int components, Precision precision, double[] values) {
        int[] own = dealt(set);
        return own == null
                ? mesh.dat(name, set, components, precision, values)
                : RankRows.of(mesh).dat(name, set, components, precision, own, Arrays.stream(own)
                        .flatMap(e -> IntStream.range(e * components, (e + 1) * components))
                        .mapToDouble(i -> values[i]).toArray());
    }

    private MeshMap declare(String name, MeshSet from, MeshSet to, int arity, int[] targets) {
        int[] own = dealt(from);
        return own == null
                ? mesh.map(name, from, to, arity, targets)
                : RankRows.of(mesh).map(name, from, to, arity, own, Arrays.stream(own)
                        .flatMap(e -> Arrays.stream(targets, e * arity, (e + 1) * arity)).toArray());
    }

    private MeshMap declare(String name, MeshSet from, MeshSet to, int[] offsets, int[] targets) {
        int[] own = dealt(from);
        if (own == null) {
            return mesh.map(name, from, to, offsets, targets);
        }
        int[] starts = new int[own.length + 1];
        for (int row = 0; row < own.length; row++) {
            starts[row + 1] = starts[row] + offsets[own[row] + 1] - offsets[own[row]];
        }
        return RankRows.of(mesh).map(name, from, to, own, starts, Arrays.stream(own)
                .flatMap(e -> Arrays.stream(targets, offsets[e], offsets[e + 1])).toArray());
    }

    private void declareLoop(int number) {
        MeshSet set = sets.get(random.nextInt(sets.size()));
        InterpretedKernel.Builder kernel = InterpretedKernel.named("loop" + number).cuda("// hosts only, " + number);
        List<LoopArgument> arguments = new ArrayList<>();
        List<Access> accesses = new ArrayList<>();
        Set<Dat> used = new HashSet<>();
        for (int a = 0; a < 6; a++) {
            Dat dat = dats.get(random.nextInt(dats.size()));
            if (used.add(dat)) {
                addDat(set, dat, kernel, arguments, accesses);
            }
        }
        Access[] reductions = {Access.SUM, Access.MIN, Access.MAX};
        int chosen = random.nextInt(2 * reductions.length);
        int read = random.nextInt(4);
        kernel.global(Access.READ, 1);
        arguments.add(globals.get(read == chosen ? 3 : read));
        accesses.add(Access.READ);
        if (chosen < reductions.length) {
            kernel.global(reductions[chosen], 1);
            arguments.add(random.nextBoolean() ? globals.get(chosen) : scalars.at(chosen));
            accesses.add(reductions[chosen]);
        }
        loops.add(mesh.loop(kernel.does(values -> call(accesses, values)), set,
                arguments.toArray(LoopArgument[]::new)));
    }

    private void addDat(MeshSet set, Dat dat, InterpretedKernel.Builder kernel, List<LoopArgument> arguments,
            List<Access> accesses) {
        Access[] direct = {Access.READ, Access.WRITE, Access.READ_WRITE, Access.INCREMENT};
        if (dat.set().equals(set) && random.nextBoolean()) {
            accesses.add(direct[random.nextInt(direct.length)]);
            kernel.dat(accesses.getLast(), dat.components());
            arguments.add(dat);
            return;
        }
        List<MeshMap> fitting =
                maps.stream().filter(map -> map.from().equals(set) && map.to().equals(dat.set())).toList();
        if (fitting.isEmpty()) {
            return;
        }
        MeshMap map = fitting.get(random.nextInt(fitting.size()));
        if (injective.contains(map) && random.nextInt(3) > 0) {
            accesses.add(direct[random.nextInt(1, 3)]);
            kernel.dat(accesses.getLast(), dat.components());
            arguments.add(dat.at(map, 0));
            return;
        }
        accesses.add(random.nextBoolean() ? Access.READ : Access.INCREMENT);
        if (map.arity() == MeshMap.VARIABLE) {
            kernel.dat(accesses.getLast(), dat.components(), ArgumentSignature.VARIABLE);
            arguments.add(dat.at(map));
        } else if (map.arity() > 1 && random.nextBoolean()) {
            kernel.dat(accesses.getLast(), dat.components(), map.arity());
            arguments.add(dat.at(map));
        } else {
            kernel.dat(accesses.getLast(), dat.components());
            arguments.add(dat.at(map, random.nextInt(map.arity())));
        }
    }

    /** Mixes everything that is read into everything that is written; exact, and small however often it is done. */
    private static void call(List<Access> accesses, Object[] values) {
        long mixed = 1;
        for (int a = 0; a < values.length; a++) {
            if (accesses.get(a) == Access.READ || accesses.get(a) == Access.READ_WRITE) {
                for (double[] row : rows(values[a])) {
                    for (double value : row) {
                        mixed = Math.floorMod(mixed * 7 + (long) value, MODULUS);
                    }
                }
            }
        }
        for (int a = 0; a < values.length; a++) {
            for (double[] row : rows(values[a])) {
                for (int c = 0; c < row.length; c++) {
                    row[c] = next(accesses.get(a), row[c], mixed + c);
                }
            }
        }
    }

    private static double[][] rows(Object value) {
        return value instanceof double[][] rows ? rows : new double[][]{(double[]) value};
    }

    private static double next(Access access, double before, long mixed) {
        return switch (access) {
            case READ -> before;
            case WRITE -> mixed % 13;
            case READ_WRITE -> Math.floorMod((long) before + mixed, 17);
            case INCREMENT -> before + mixed % 11 - 5;
            case SUM -> before + mixed % 5;
            case MIN -> Math.min(before, (double) (mixed % 31 - 40));
            case MAX -> Math.max(before, (double) (mixed % 31));
        };
    }

    private void declareSequence(int number) {
        LoopSequence.Builder sequence = mesh.sequence("sequence " + number);
        if (random.nextInt(4) > 0) {
            int rings = random.nextInt(1, 4);
            boolean tuned = random.nextInt(3) == 0;
            sequence = tuned ? sequence.tunedRings(rings) : sequence.rings(rings);
        }
        int steps = random.nextInt(2, 9);
        for (int s = 0; s < steps; s++) {
            sequence.run(loops.get(random.nextInt(loops.size())));
            if (random.nextInt(6) == 0) {
                sequence.set(globals.get(3), random.nextInt(5));
            }
            if (random.nextInt(12) == 0) {
                Dat dat = dats.get(random.nextInt(dats.size()));
                sequence.run(new CallStep("fill", () -> dat.fill(4), List.of()));
            }
        }
        sequences.add(sequence.build());
    }

    /** Runs loops and sequences, and looks at values and sets some in between. */
    public void run() {
        run(() -> {});
    }

    /**
     * Does something else after each step, too.
     *
     * @param between what
     */
    public void run(Runnable between) {
        for (int step = 0; step < (restless ? 24 : 12); step++) {
            Dat dat = dats.get(random.nextInt(dats.size()));
            if (restless && random.nextInt(3) == 0) {
                Layout[] layouts = Layout.values();
                dats.get(random.nextInt(dats.size())).layout(layouts[random.nextInt(layouts.length)]);
            }
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> loops.get(random.nextInt(loops.size())).run();
                case 3, 4, 5 -> sequences.get(random.nextInt(sequences.size())).run();
                case 6 -> dat.setAll(values(dat.set().size() * dat.components()));
                default -> setOne(dat);
            }
            between.run();
        }
    }

    private void setOne(Dat dat) {
        if (dat.set().size() > 0) {
            int element = random.nextInt(dat.set().size());
            dat.set(element, 0, dat.get(element, 0) % 3 + 2);
        }
    }

    /** Returns the globals that loops reduce into, and at last one that they read. */
    List<Global> globals() {
        return globals;
    }

    /**
     * Returns the values of everything.
     *
     * @return those of dats, globals and scalars
     */
    public List<double[]> values() {
        List<double[]> all = new ArrayList<>();
        dats.forEach(dat -> all.add(dat.toArray()));
        globals.forEach(global -> all.add(new double[]{global.get()}));
        double[] last = new double[scalars.count()];
        scalars.copyTo(last);
        all.add(last);
        return all;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        loops.forEach(loop -> text.append(loop.step().name()).append(' ').append(loop.step().data()).append('\n'));
        sequences.forEach(sequence -> text.append(sequence).append(" rings ").append(sequence.rings()).append(' ')
                .append(sequence.steps().stream().map(step -> step.name()).toList()).append('\n'));
        return text.toString();
    }
}
