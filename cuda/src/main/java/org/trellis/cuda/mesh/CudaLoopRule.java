package org.trellis.cuda.mesh;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
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
    private static final List<Integer> BLOCKS = List.of(64, 128, 256, 512);
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

    /** Says whether half of the increments or more repeat another. */
    private static boolean repeats(LoopDeclaration loop) {
        int adding = (int) IntStream.range(0, loop.arity()).filter(loop::incrementsIndirectly).count();
        return 2 * new Contributions(loop, true).stored().size() <= adding;
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
            space.add(of(LoopScheme.IN_ORDER, block, DeviceParameters.NONE));
            space.add(of(LoopScheme.IN_ORDER, block, DeviceParameters.NONE.withStreaming(true)));
            space.add(of(LoopScheme.IN_ORDER, block, DeviceParameters.NONE.withStaging(Staging.ALL)));
            if (loop.incrementsIndirectly()) {
                addSchemes(space, block);
            }
        }
        return space.stream().filter(p -> CudaLoopConstraints.objection(loop, p).isEmpty()).toList();
    }

    private static void addSchemes(Set<LoopParameters> space, int block) {
        for (Staging staging : Staging.values()) {
            DeviceParameters device = DeviceParameters.NONE.withStaging(staging);
            for (boolean fission : new boolean[]{false, true}) {
                space.add(of(LoopScheme.TWO_LEVEL, block, device).withFission(fission));
            }
            space.add(of(LoopScheme.TWO_LEVEL, block, device.withStreaming(true)));
            space.add(of(LoopScheme.TWO_LEVEL, block, device.withSorted(true)));
            space.add(of(LoopScheme.TWO_LEVEL, block, device.withColourOrdered(true)));
            space.add(of(LoopScheme.OWNER_COMPUTE, block, device));
        }
        space.add(of(LoopScheme.BLOCK_PERMUTE, block, DeviceParameters.NONE));
        if (block == BLOCK) {
            for (boolean fission : new boolean[]{false, true}) {
                space.add(of(LoopScheme.FULL_PERMUTE, block, DeviceParameters.NONE).withFission(fission));
                space.add(of(LoopScheme.TEMPORARY, block, DeviceParameters.NONE).withFission(fission));
                space.add(of(LoopScheme.TEMPORARY, block, DeviceParameters.NONE.withStreaming(true))
                        .withFission(fission));
            }
            space.add(of(LoopScheme.TWO_LEVEL, 2 * block,
                    DeviceParameters.NONE.withStaging(Staging.ALL).withThreads(block)));
        }
    }
}
