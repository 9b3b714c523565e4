package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.kernel.Access;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopDeviceParameters.Staging;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;

/** The first choice of parameters, in constant time from access descriptors and layouts, and those worth
 * trying. */
final class CudaLoopRule {
    private static final int BLOCK = 256;
    private static final int SMALL_BLOCK = 64;
    private static final int LARGE_BLOCK = 512;
    /** Elements that a device runs in a few microseconds. */
    private static final int SMALL_SET = 1 << 16;
    /** Arguments from which on the code of a loop that reduces needs many registers. */
    private static final int MANY_ARGUMENTS = 6;
    /** Elements of which each thread of a device gets several. */
    private static final int LARGE_SET = 1 << 19;
    /** From so many targets for each element on, going through all targets does not pay. */
    private static final int MANY_TARGETS = 4;
    /** Bytes that a block of threads should move, since a device starts about one and a half in a nanosecond. */
    private static final int DIRECT_BYTES = 1 << 14;
    /** The same where loads wait for other loads, so that more blocks should be under way. */
    private static final int GATHERING_BYTES = 1 << 13;
    /** The most targets of an element that each of them runs it for. */
    private static final int MOST_RECOMPUTED = 2;
    /** Bytes of an element from which on blocks of a loop without maps have half of the usual threads. */
    private static final int LONG_ROW = 128;
    private static final List<Integer> BLOCKS = List.of(64, 128, 256, 512);
    private static final List<Integer> USUAL_BLOCKS = List.of(128, 256);
    private static final LoopDeviceParameters STREAMING = LoopDeviceParameters.NONE.withStreaming(true);
    private static final LoopDeviceParameters TWO = LoopDeviceParameters.NONE.withPerThread(2);
    /** Of threads, so that five, six or four blocks of 128 are resident. */
    private static final List<Integer> FEWER_REGISTERS = List.of(96, 80, 128);
    /** Threads that share a target and the elements that add to it. */
    private static final List<Integer> SHARES = List.of(2, 4, 8);
    /** The same of few targets, which leave most of a device idle while the elements of each wait for each other. */
    private static final int SHARED_BY_FEW = 2;
    private static final List<Integer> DIRECT_BLOCKS = List.of(64, 128, 256, 512, 1024);

    private CudaLoopRule() {}

    /**
     * Proposes parameters. A block of a loop without increments moves enough bytes for the time that it takes to start
     * one. Where an element has at most two targets, as an edge has, and writes nothing else, targets run their
     * elements and nothing is stored in between, two threads for each if there are few. Otherwise, where increments
     * repeat each other, contributions are stored once and gathered; where the kernel reads nothing through maps,
     * blocks own targets and run again what two of them need (more of it where elements are in blocks of a partition;
     * there, too, contributions are stored). Else colours: elements in one piece are added to from registers, in small
     * blocks; others meet in shared memory first. A loop over few elements is bound by its launches, of which a
     * temporary array has two, unless its targets are many more.
     */
    static LoopParameters parameters(LoopDeclaration loop) {
        if (!loop.incrementsIndirectly()) {
            return withoutIncrements(loop);
        }
        LoopParameters plain = of(LoopScheme.TWO_LEVEL, SMALL_BLOCK, LoopDeviceParameters.NONE);
        int size = loop.set().size();
        if (MANY_TARGETS * (long) size < targets(loop) && !loop.set().inParts()) {
            return plain;
        }
        boolean repeats = repeats(loop);
        LoopParameters gathered = of(LoopScheme.TEMPORARY, BLOCK / 2, LoopDeviceParameters.NONE.withPerThread(
                repeats && size >= LARGE_SET ? 2 : 1)).withFission(repeats);
        LoopParameters recomputed = size < SMALL_SET
                ? shared(SHARED_BY_FEW)
                : of(LoopScheme.RECOMPUTE, BLOCK / 2, LoopDeviceParameters.NONE);
        LoopParameters owned = of(LoopScheme.OWNER_COMPUTE, BLOCK / 2, LoopDeviceParameters.NONE);
        LoopParameters staged =
                of(LoopScheme.TWO_LEVEL, BLOCK, LoopDeviceParameters.NONE.withStaging(Staging.INCREMENTS));
        boolean scattered = IntStream.range(0, loop.arity())
                .anyMatch(a -> loop.incrementsIndirectly(a) && LoopTables.soa(loop.dat(a)));
        List<LoopParameters> wanted = new ArrayList<>();
        if (PullCode.slots(new LoopTables(loop)).size() <= MOST_RECOMPUTED) {
            wanted.add(recomputed);
        }
        if (repeats) {
            wanted.add(gathered);
        }
        if (!gathers(loop)) {
            wanted.add(loop.set().hasBlocks() ? gathered : owned);
        }
        if (size < SMALL_SET) {
            wanted.add(gathered);
        }
        if (loop.set().inParts()) {
            wanted.add(gathered);
        }
        wanted.add(scattered ? staged : plain.withDevice(LoopDeviceParameters.NONE.withSorted(true)));
        return wanted.stream().filter(p -> CudaLoopConstraints.objection(loop, p).isEmpty()).findFirst().orElse(plain);
    }

    /**
     * Proposes parameters for launches over some of a loop's elements each, between which data are to stay in the
     * cache: no schemes with blocks of a plan, and nothing that keeps data from the caches.
     *
     * @param loop the loop
     * @return parameters
     * @throws UnsupportedKernelException if no scheme can run it so
     */
    static LoopParameters inRanges(LoopDeclaration loop) {
        if (!loop.incrementsIndirectly()) {
            LoopParameters found = withoutIncrements(loop);
            return found.withDevice(found.device().withStreaming(false));
        }
        List<LoopParameters> wanted = new ArrayList<>();
        if (PullCode.slots(new LoopTables(loop)).size() <= MOST_RECOMPUTED) {
            wanted.add(of(LoopScheme.RECOMPUTE, BLOCK / 2, LoopDeviceParameters.NONE));
        }
        wanted.add(of(LoopScheme.TEMPORARY, BLOCK / 2, LoopDeviceParameters.NONE).withFission(repeats(loop)));
        wanted.add(of(LoopScheme.TEMPORARY, BLOCK / 2, LoopDeviceParameters.NONE));
        return wanted.stream().filter(p -> CudaLoopConstraints.objection(loop, p).isEmpty()).findFirst()
                .orElseThrow(() -> new UnsupportedKernelException(loop.toString(), "cuda",
                        "neither recompute nor temporary runs it in chunks"));
    }

    private static LoopParameters withoutIncrements(LoopDeclaration loop) {
        boolean gathers = gathers(loop);
        int bytes = 0;
        boolean scattered = false;
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.dat(a) != null) {
                int one = loop.dat(a).components() * loop.dat(a).type().bytes();
                boolean mapped = loop.map(a) != null;
                bytes += mapped ? one / 2 + Integer.BYTES : loop.access(a) == Access.READ_WRITE ? 2 * one : one;
                scattered |= mapped && LoopTables.soa(loop.dat(a));
            }
        }
        if (IntStream.range(0, loop.arity()).anyMatch(a -> LoopTables.byRows(loop, a))) {
            // A row is work enough for a thread; small blocks spread few rows over all multiprocessors, and many well.
            return of(LoopScheme.IN_ORDER, SMALL_BLOCK, LoopDeviceParameters.NONE);
        }
        int block = gathers || bytes >= LONG_ROW ? BLOCK / 2 : BLOCK;
        int wanted = gathers ? GATHERING_BYTES : DIRECT_BYTES;
        while (block < LARGE_BLOCK && block * bytes < wanted) {
            block *= 2;
        }
        if (loop.set().size() < LARGE_SET) {
            return of(LoopScheme.IN_ORDER, block, LoopDeviceParameters.NONE);
        }
        boolean light = block * bytes < wanted;
        if (block == LARGE_BLOCK && reduces(loop) && (gathers || light)) {
            // Few partial results for those who move little.
            LoopDeviceParameters several =
                    gathers ? STREAMING.withPerThread(2) : LoopDeviceParameters.NONE.withPerThread(4);
            return of(LoopScheme.IN_ORDER, block, several);
        }
        return of(LoopScheme.IN_ORDER, block, (gathers ? scattered : light) ? TWO : LoopDeviceParameters.NONE);
    }

    private static boolean reduces(LoopDeclaration loop) {
        return IntStream.range(0, loop.arity()).anyMatch(a -> loop.access(a).reduces());
    }

    /** Says whether a loop reads through maps. */
    private static boolean gathers(LoopDeclaration loop) {
        return IntStream.range(0, loop.arity())
                .anyMatch(a -> loop.map(a) != null && loop.access(a) != Access.INCREMENT);
    }

    /** Returns the size of the largest set that a loop adds to through maps. */
    private static int targets(LoopDeclaration loop) {
        return IntStream.range(0, loop.arity()).filter(loop::incrementsIndirectly)
                .map(a -> loop.dat(a).set().size()).max().orElse(0);
    }

    /**
     * Fits the proposed parameters to the code that they lead to: a thread takes one element where registers are
     * spilled for several; what each target would run again, with long code, is stored instead; blocks are halved
     * where less than half of the threads of a multiprocessor are resident and that lets more be.
     *
     * @param loop     the loop
     * @param proposed what {@link #parameters} proposes
     * @param compiler compiles the loop's kernel
     * @return parameters
     */
    static LoopParameters refined(LoopDeclaration loop, LoopParameters proposed,
            Function<LoopParameters, CodeFigures> compiler) {
        if (loop.set().size() < SMALL_SET) {
            return proposed;
        }
        LoopParameters chosen = proposed;
        CodeFigures code;
        try {
            code = compiler.apply(chosen);
        } catch (UnsupportedKernelException e) {
            // A block's shared memory is more than there is.
            return of(LoopScheme.TWO_LEVEL, SMALL_BLOCK, LoopDeviceParameters.NONE);
        }
        if (chosen.scheme() == LoopScheme.RECOMPUTE && code.heavy()) {
            return stored(loop, chosen);
        }
        if (chosen.scheme() == LoopScheme.RECOMPUTE && code.fewResident() && loop.set().size() >= LARGE_SET) {
            // Where few blocks are resident and there are many, loads of a larger block's targets meet in its cache, if
            // not many fewer threads are resident then.
            LoopParameters larger = chosen.withBlockSize(BLOCK);
            return 4 * compiler.apply(larger).residentThreads() >= 3 * code.residentThreads() ? larger : chosen;
        }
        if (code.localBytes() > 0 && chosen.device().perThread() > 1) {
            chosen = chosen.withDevice(chosen.device().withPerThread(1));
            code = compiler.apply(chosen);
        }
        while (chosen.blockSize() > SMALL_BLOCK && code.wantsSmallerBlocks()) {
            LoopParameters smaller = chosen.withBlockSize(chosen.blockSize() / 2);
            CodeFigures other = compiler.apply(smaller);
            if (other.residentThreads() <= code.residentThreads()) {
                break;
            }
            chosen = smaller;
            code = other;
        }
        return chosen;
    }

    /** Says whether {@link #refined} goes by the length of the code that the proposed parameters lead to. */
    static boolean dependsOnCode(LoopDeclaration loop, LoopParameters proposed) {
        return proposed.scheme() == LoopScheme.RECOMPUTE && loop.set().size() >= SMALL_SET
                && proposed.equals(parameters(loop));
    }

    /** Lists what {@link #refined} is likely to compile after that code. */
    static List<LoopParameters> afterCode(LoopDeclaration loop, LoopParameters proposed, boolean isLong) {
        if (isLong) {
            return List.of(stored(loop, proposed));
        }
        return loop.set().size() >= LARGE_SET ? List.of(proposed.withBlockSize(BLOCK)) : List.of();
    }

    /**
     * Lists what {@link #refined} is likely to compile for a loop without maps, in this order: those that reduce and
     * have many arguments need registers, and come down to smaller blocks.
     */
    static List<LoopParameters> likely(LoopDeclaration loop, LoopParameters proposed) {
        List<LoopParameters> all = new ArrayList<>(List.of(proposed));
        if (loop.set().size() >= SMALL_SET && loop.arity() >= MANY_ARGUMENTS && reduces(loop)
                && proposed.equals(parameters(loop))) {
            all.add(proposed.withBlockSize(proposed.blockSize() / 2));
            all.add(proposed.withBlockSize(proposed.blockSize() / 4));
        }
        return all;
    }

    /** Stores what elements add, and then gathers it: component by component where targets are rows. */
    private static LoopParameters stored(LoopDeclaration loop, LoopParameters otherwise) {
        boolean rows = IntStream.range(0, loop.arity())
                .noneMatch(a -> loop.incrementsIndirectly(a) && LoopTables.soa(loop.dat(a)));
        LoopParameters plain = of(LoopScheme.TEMPORARY, BLOCK / 2,
                LoopDeviceParameters.NONE.withTransposed(rows));
        return Stream.of(plain.withFission(true), plain, otherwise)
                .filter(p -> CudaLoopConstraints.objection(loop, p).isEmpty()).findFirst().orElse(otherwise);
    }

    /** Targets run their elements, several threads each. */
    private static LoopParameters shared(int threads) {
        int block = BLOCK / 2;
        return of(LoopScheme.RECOMPUTE, block / threads, LoopDeviceParameters.NONE.withThreads(block));
    }

    /** Says whether half of the increments or more repeat another. */
    private static boolean repeats(LoopDeclaration loop) {
        int adding = (int) IntStream.range(0, loop.arity()).filter(loop::incrementsIndirectly).count();
        return 2 * new Contributions(loop, true, false).stored().size() <= adding;
    }

    private static LoopParameters of(LoopScheme scheme, int block, LoopDeviceParameters device) {
        return LoopParameters.of(scheme).withBlockSize(block).withDevice(device);
    }

    /** Lists parameters worth trying, those that give other bits in each run not among them. */
    static List<LoopParameters> space(LoopDeclaration loop) {
        Set<LoopParameters> space = new LinkedHashSet<>();
        space.add(parameters(loop));
        boolean indirect = IntStream.range(0, loop.arity()).anyMatch(a -> loop.map(a) != null);
        for (int block : indirect ? BLOCKS : DIRECT_BLOCKS) {
            for (LoopDeviceParameters device : List.of(LoopDeviceParameters.NONE, STREAMING, TWO,
                    STREAMING.withPerThread(2),
                    LoopDeviceParameters.NONE.withPerThread(4))) {
                space.add(of(LoopScheme.IN_ORDER, block, device));
            }
            if (loop.incrementsIndirectly()) {
                addSchemes(space, block);
            }
        }
        for (int block : USUAL_BLOCKS) {
            space.add(of(LoopScheme.IN_ORDER, block, LoopDeviceParameters.NONE.withStaging(Staging.ALL)));
            if (loop.incrementsIndirectly()) {
                addUnusual(space, block);
            }
        }
        if (loop.incrementsIndirectly()) {
            addWithoutBlocks(space);
            for (int registers : FEWER_REGISTERS) {
                LoopDeviceParameters fewer = LoopDeviceParameters.NONE.withRegisters(registers);
                space.add(of(LoopScheme.TEMPORARY, BLOCK / 2, fewer).withFission(true));
                space.add(of(LoopScheme.RECOMPUTE, BLOCK / 2, fewer));
            }
        }
        return space.stream().filter(p -> CudaLoopConstraints.objection(loop, p).isEmpty()).toList();
    }

    private static void addSchemes(Set<LoopParameters> space, int block) {
        for (Staging staging : List.of(Staging.NONE, Staging.INCREMENTS)) {
            LoopDeviceParameters device = LoopDeviceParameters.NONE.withStaging(staging);
            space.add(of(LoopScheme.TWO_LEVEL, block, device));
            space.add(of(LoopScheme.TWO_LEVEL, block, device.withStreaming(true)));
            space.add(of(LoopScheme.TWO_LEVEL, block, device.withSorted(true)));
        }
        space.add(of(LoopScheme.OWNER_COMPUTE, block, LoopDeviceParameters.NONE));
        space.add(of(LoopScheme.BLOCK_PERMUTE, block, LoopDeviceParameters.NONE));
        space.add(of(LoopScheme.RECOMPUTE, block, LoopDeviceParameters.NONE));
        space.add(of(LoopScheme.RECOMPUTE, block, STREAMING));
    }

    private static void addUnusual(Set<LoopParameters> space, int block) {
        for (Staging staging : List.of(Staging.NONE, Staging.INCREMENTS)) {
            LoopDeviceParameters device = LoopDeviceParameters.NONE.withStaging(staging);
            space.add(of(LoopScheme.TWO_LEVEL, block, device).withFission(true));
            space.add(of(LoopScheme.TWO_LEVEL, block, device.withColourOrdered(true)));
        }
        LoopDeviceParameters all = LoopDeviceParameters.NONE.withStaging(Staging.ALL);
        space.add(of(LoopScheme.TWO_LEVEL, block, all));
        space.add(of(LoopScheme.TWO_LEVEL, block, all.withSorted(true)));
        space.add(of(LoopScheme.TWO_LEVEL, 2 * block, all.withThreads(block)));
        space.add(of(LoopScheme.OWNER_COMPUTE, block, all));
    }

    private static void addWithoutBlocks(Set<LoopParameters> space) {
        SHARES.forEach(share -> space.add(shared(share)));
        for (boolean fission : new boolean[]{false, true}) {
            space.add(of(LoopScheme.FULL_PERMUTE, BLOCK, LoopDeviceParameters.NONE).withFission(fission));
            for (LoopDeviceParameters device : List.of(LoopDeviceParameters.NONE, STREAMING,
                    LoopDeviceParameters.NONE.withTransposed(true), TWO)) {
                for (int block : USUAL_BLOCKS) {
                    space.add(of(LoopScheme.TEMPORARY, block, device).withFission(fission));
                }
            }
        }
    }
}
