package org.trellis.tuner.loop;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.trellis.kernel.LoopStyle;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopDeviceParameters.Staging;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;

/**
 * The parameters of a loop as a space to walk in: what the backend offers, and more of the same kind (blocks of the
 * set's partition, limits of registers, atomics if they are allowed). Parameters that differ in sizes and orders
 * only have one shape: scheme, fission, style, staging, and whether the kernel runs by colour.
 */
public final class LoopSpace {
    /** Limits of registers that let more threads be resident: for the best of a shape on a device. */
    private static final List<Integer> REGISTER_LIMITS = List.of(64, 40);
    private static final List<Integer> ATOMIC_BLOCKS = List.of(128, 256, 512);

    private final LoopKernels kernels;
    private final LoopDeclaration loop;
    private final LoopParameters rule;
    private final Set<LoopParameters> offered;
    private final TreeSet<Integer> blocks = new TreeSet<>();
    private final boolean onDevice;

    private record Shape(LoopScheme scheme, boolean fission, LoopStyle style, Staging staging, boolean colourOrdered) {
        static Shape of(LoopParameters parameters) {
            return new Shape(parameters.scheme(), parameters.fission(), parameters.style(),
                    parameters.device().staging(), parameters.device().colourOrdered());
        }
    }

    /**
     * Lists the space of a loop. Costs the backend's list.
     *
     * @param kernels           the loops of a backend
     * @param loop              the loop
     * @param rule              what the backend's rule proposes
     * @param allowUnrepeatable whether atomics belong to it
     */
    public LoopSpace(LoopKernels kernels, LoopDeclaration loop, LoopParameters rule, boolean allowUnrepeatable) {
        this.kernels = kernels;
        this.loop = loop;
        this.rule = Objects.requireNonNull(rule);
        this.offered = new LinkedHashSet<>();
        offered.add(rule);
        offered.addAll(kernels.parameterSpace(loop));
        this.onDevice = offered.stream().anyMatch(p -> !p.device().equals(LoopDeviceParameters.NONE));
        offered.forEach(parameters -> blocks.add(parameters.blockSize()));
        if (allowUnrepeatable && loop.incrementsIndirectly()) {
            addAtomics();
        }
    }

    private void addAtomics() {
        for (int block : ATOMIC_BLOCKS) {
            for (Staging staging : Staging.values()) {
                LoopParameters atomics = LoopParameters.of(LoopScheme.ATOMICS).withBlockSize(block)
                        .withDevice(LoopDeviceParameters.NONE.withStaging(staging));
                if (fits(atomics)) {
                    offered.add(atomics);
                    blocks.add(block);
                }
            }
        }
    }

    /**
     * Returns the backend's first choice.
     *
     * @return the rule's parameters
     */
    public LoopParameters rule() {
        return rule;
    }

    /**
     * Returns whether a loop can be run so, as far as that is known before its plan is.
     *
     * @param parameters how
     * @return true if the backend has no objection
     */
    public boolean fits(LoopParameters parameters) {
        return kernels.constraint(loop, parameters).isEmpty();
    }

    /**
     * Lists one set of parameters of each shape.
     *
     * @param near the block size that they should have, or come near to
     * @return that of {@code rule} first, then in the backend's order
     */
    public List<LoopParameters> shapes(int near) {
        Map<Shape, LoopParameters> found = new LinkedHashMap<>();
        found.put(Shape.of(rule), rule);
        for (LoopParameters parameters : offered) {
            found.merge(Shape.of(parameters), parameters, (a, b) -> a.equals(rule) || !nearer(b, a, near) ? a : b);
        }
        return List.copyOf(found.values());
    }

    private static boolean nearer(LoopParameters one, LoopParameters other, int block) {
        return Comparator.comparingDouble((LoopParameters p) -> distance(p.blockSize(), block))
                .thenComparing(p -> p.device().sorted()).thenComparing(p -> p.device().streaming())
                .compare(one, other) < 0;
    }

    private static double distance(int one, int other) {
        return Math.abs(Math.log(Math.max(1, one)) - Math.log(Math.max(1, other)));
    }

    /**
     * Returns whether two sets of parameters differ in sizes and orders only.
     *
     * @param one   a set
     * @param other another
     * @return true if they have one shape
     */
    public static boolean sameShape(LoopParameters one, LoopParameters other) {
        return Shape.of(one).equals(Shape.of(other));
    }

    /**
     * Lists the steps from a set of parameters: the next block size up and down, the blocks of the set's partition,
     * sorted or not, streaming or not, and what else the backend offers of this shape and block size.
     *
     * @param from      where to step from
     * @param registers whether limits of registers are steps too
     * @return sets that fit, without {@code from}
     */
    public List<LoopParameters> around(LoopParameters from, boolean registers) {
        Collection<LoopParameters> steps = new LinkedHashSet<>();
        add(steps, from, blocks.lower(from.blockSize()));
        add(steps, from, blocks.higher(from.blockSize()));
        if (loop.set().hasBlocks()) {
            steps.add(from.withBlockSize(0));
        }
        if (onDevice) {
            LoopDeviceParameters device = from.device();
            steps.add(from.withDevice(device.withSorted(!device.sorted())));
            steps.add(from.withDevice(device.withStreaming(!device.streaming())));
        }
        offered.stream().filter(other -> sameShape(from, other) && other.blockSize() == from.blockSize())
                .forEach(steps::add);
        if (onDevice && registers && from.device().registers() == 0) {
            REGISTER_LIMITS.forEach(limit -> steps.add(from.withDevice(from.device().withRegisters(limit))));
        }
        steps.remove(from);
        return steps.stream().filter(this::fits).toList();
    }

    private static void add(Collection<LoopParameters> steps, LoopParameters from, Integer block) {
        if (block != null && block > 0) {
            steps.add(from.withBlockSize(block));
        }
    }

    /**
     * Lists everything that an exhaustive search measures.
     *
     * @return what the backend offers, atomics if they are allowed, and each with the blocks of the set's partition if
     *         it has one
     */
    public List<LoopParameters> all() {
        Set<LoopParameters> all = new LinkedHashSet<>(offered);
        if (loop.set().hasBlocks()) {
            offered.forEach(parameters -> all.add(parameters.withBlockSize(0)));
        }
        return new ArrayList<>(all.stream().filter(this::fits).toList());
    }
}
