package org.trellis.cuda.mesh;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.mesh.DeviceParameters;
import org.trellis.mesh.DeviceParameters.Staging;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopParameters;
import org.trellis.mesh.LoopScheme;

/** The first choice of parameters, in constant time from access descriptors and layouts, and those worth
 * trying. */
final class CudaLoopRule {
    private static final int BLOCK = 256;
    private static final int SMALL_BLOCK = 64;
    /** Elements that a device runs in a few microseconds. */
    private static final int SMALL_SET = 1 << 16;
    /** Registers that the compiler can usually do without. */
    private static final int SPARED_REGISTERS = 6;
    private static final List<Integer> BLOCKS = List.of(64, 128, 256, 512);
    private static final List<Integer> USUAL_BLOCKS = List.of(128, 256);
    private static final DeviceParameters STREAMING = DeviceParameters.NONE.withStreaming(true);
    private static final List<Integer> DIRECT_BLOCKS = List.of(64, 128, 256, 512, 1024);

    private CudaLoopRule() {}

    /**
     * Proposes parameters. Loops without increments keep what they use once from the caches. A loop over few elements
     * is over before staging pays. Where increments repeat each other, contributions are stored once and gathered.
     * Otherwise colours: elements in one piece are added to from registers, in small blocks; others meet in shared
     * memory first.
     */
    static LoopParameters parameters(LoopDeclaration loop) {
        if (!loop.incrementsIndirectly()) {
            boolean indirect = IntStream.range(0, loop.arity()).anyMatch(a -> loop.map(a) != null);
            return of(LoopScheme.IN_ORDER, indirect ? BLOCK / 2 : BLOCK, DeviceParameters.NONE.withStreaming(true));
        }
        LoopParameters plain = of(LoopScheme.TWO_LEVEL, SMALL_BLOCK, DeviceParameters.NONE);
        if (loop.set().size() < SMALL_SET) {
            return plain;
        }
        LoopParameters gathered = of(LoopScheme.TEMPORARY, BLOCK, DeviceParameters.NONE).withFission(true);
        if (repeats(loop) && CudaLoopConstraints.objection(loop, gathered).isEmpty()) {
            return gathered;
        }
        LoopParameters staged =
                of(LoopScheme.TWO_LEVEL, BLOCK, DeviceParameters.NONE.withStaging(Staging.INCREMENTS));
        boolean scattered = IntStream.range(0, loop.arity())
                .anyMatch(a -> loop.incrementsIndirectly(a) && LoopTables.soa(loop.dat(a)));
        return scattered && CudaLoopConstraints.objection(loop, staged).isEmpty()
                ? staged
                : plain.withDevice(DeviceParameters.NONE.withSorted(true));
    }

    /**
     * Fits the proposed parameters to the code that they lead to. If a few registers less let one more block be
     * resident, and none are spilled for it, the compiler is told to do with those. If a block's shared memory leaves
     * less than half of a multiprocessor's threads resident, blocks are halved for as long as that lets more be
     * resident.
     *
     * @param loop     the loop
     * @param proposed what {@link #parameters} proposes
     * @param most     threads that a multiprocessor can run
     * @param compiler compiles the loop's kernel
     * @return parameters of the same scheme
     */
    static LoopParameters refined(LoopDeclaration loop, LoopParameters proposed, int most,
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
            return of(LoopScheme.TWO_LEVEL, SMALL_BLOCK, DeviceParameters.NONE);
        }
        while (2 * code.residentThreads() < most && chosen.device().staging() != Staging.NONE
                && chosen.blockSize() > SMALL_BLOCK) {
            LoopParameters smaller = chosen.withBlockSize(chosen.blockSize() / 2);
            CodeFigures other = compiler.apply(smaller);
            if (other.residentThreads() <= code.residentThreads()) {
                break;
            }
            chosen = smaller;
            code = other;
        }
        int fewer = code.registersForOneMore();
        if (code.residentThreads() + code.threads() <= most && code.registers() > fewer
                && code.registers() - fewer <= SPARED_REGISTERS) {
            LoopParameters limited = chosen.withDevice(chosen.device().withRegisters(fewer));
            CodeFigures other = compiler.apply(limited);
            if (other.residentThreads() > code.residentThreads() && other.localBytes() <= code.localBytes()) {
                return limited;
            }
        }
        return chosen;
    }

    /** Says whether half of the increments or more repeat another. */
    private static boolean repeats(LoopDeclaration loop) {
        int adding = (int) IntStream.range(0, loop.arity()).filter(loop::incrementsIndirectly).count();
        return 2 * new Contributions(loop, true, false).stored().size() <= adding;
    }

    private static LoopParameters of(LoopScheme scheme, int block, DeviceParameters device) {
        return LoopParameters.of(scheme).withBlockSize(block).withDevice(device);
    }

    /** Lists parameters worth trying, those that give other bits in each run not among them. */
    static List<LoopParameters> space(LoopDeclaration loop) {
        Set<LoopParameters> space = new LinkedHashSet<>();
        space.add(parameters(loop));
        boolean indirect = IntStream.range(0, loop.arity()).anyMatch(a -> loop.map(a) != null);
        for (int block : indirect ? BLOCKS : DIRECT_BLOCKS) {
            for (DeviceParameters device : List.of(DeviceParameters.NONE, STREAMING, STREAMING.withPerThread(2),
                    STREAMING.withPerThread(4))) {
                space.add(of(LoopScheme.IN_ORDER, block, device));
            }
            if (loop.incrementsIndirectly()) {
                addSchemes(space, block);
            }
        }
        for (int block : USUAL_BLOCKS) {
            space.add(of(LoopScheme.IN_ORDER, block, DeviceParameters.NONE.withStaging(Staging.ALL)));
            if (loop.incrementsIndirectly()) {
                addUnusual(space, block);
            }
        }
        if (loop.incrementsIndirectly()) {
            addWithoutBlocks(space);
        }
        return space.stream().filter(p -> CudaLoopConstraints.objection(loop, p).isEmpty()).toList();
    }

    private static void addSchemes(Set<LoopParameters> space, int block) {
        for (Staging staging : List.of(Staging.NONE, Staging.INCREMENTS)) {
            DeviceParameters device = DeviceParameters.NONE.withStaging(staging);
            space.add(of(LoopScheme.TWO_LEVEL, block, device));
            space.add(of(LoopScheme.TWO_LEVEL, block, device.withStreaming(true)));
            space.add(of(LoopScheme.TWO_LEVEL, block, device.withSorted(true)));
        }
        space.add(of(LoopScheme.OWNER_COMPUTE, block, DeviceParameters.NONE));
        space.add(of(LoopScheme.BLOCK_PERMUTE, block, DeviceParameters.NONE));
    }

    private static void addUnusual(Set<LoopParameters> space, int block) {
        for (Staging staging : List.of(Staging.NONE, Staging.INCREMENTS)) {
            DeviceParameters device = DeviceParameters.NONE.withStaging(staging);
            space.add(of(LoopScheme.TWO_LEVEL, block, device).withFission(true));
            space.add(of(LoopScheme.TWO_LEVEL, block, device.withColourOrdered(true)));
        }
        DeviceParameters all = DeviceParameters.NONE.withStaging(Staging.ALL);
        space.add(of(LoopScheme.TWO_LEVEL, block, all));
        space.add(of(LoopScheme.TWO_LEVEL, block, all.withSorted(true)));
        space.add(of(LoopScheme.TWO_LEVEL, 2 * block, all.withThreads(block)));
        space.add(of(LoopScheme.OWNER_COMPUTE, block, all));
    }

    private static void addWithoutBlocks(Set<LoopParameters> space) {
        for (boolean fission : new boolean[]{false, true}) {
            space.add(of(LoopScheme.FULL_PERMUTE, BLOCK, DeviceParameters.NONE).withFission(fission));
            for (DeviceParameters device : List.of(DeviceParameters.NONE, STREAMING,
                    DeviceParameters.NONE.withTransposed(true), DeviceParameters.NONE.withPerThread(2))) {
                for (int block : USUAL_BLOCKS) {
                    space.add(of(LoopScheme.TEMPORARY, block, device).withFission(fission));
                }
            }
        }
    }
}
