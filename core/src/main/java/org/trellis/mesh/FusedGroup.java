package org.trellis.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.kernel.Access;
import org.trellis.kernel.FusedKernel;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.SetExtent;

/**
 * Loops over one set that may run as one, element by element: what one of them writes the others touch in the same
 * element only, or not at all. Real numbers that two loops add through maps to one dat would be added in another order,
 * so such loops stay apart; whole numbers may be. A loop belongs to a group if it shares data or maps with it.
 */
final class FusedGroup {
    /** More loops hardly save anything, but take registers of a device and first-level cache. */
    private static final int MOST_LOOPS = 8;
    private static final int MOST_ARGUMENTS = 40;

    private final Mesh mesh;
    private final List<ParallelLoop> loops = new ArrayList<>();
    private LoopDeclaration whole;
    private LoopParameters parameters;

    FusedGroup(Mesh mesh, ParallelLoop first) {
        this.mesh = mesh;
        loops.add(first);
    }

    /** Says whether a step can be a loop of a group at all. */
    static boolean suits(Mesh mesh, LoopStep step) {
        MeshSet set = step.loop().declaration().set();
        return mesh.division().ranked()
                ? step.part() == SetExtent.EXECUTED && !step.loop().hasOwnParameters()
                : step.isWhole() && !set.inParts();
    }

    List<ParallelLoop> loops() {
        return loops;
    }

    /** Adds a loop behind the others, if it may run with them and the backend can do so; says whether it did. */
    boolean join(ParallelLoop loop) {
        if (loops.size() == MOST_LOOPS || !fits(loop.declaration())) {
            return false;
        }
        List<ParallelLoop> all = new ArrayList<>(loops);
        all.add(loop);
        List<LoopDeclaration> declarations = all.stream().map(ParallelLoop::declaration).toList();
        if (declarations.stream().mapToInt(LoopDeclaration::arity).sum() > MOST_ARGUMENTS) {
            return false;
        }
        LoopDeclaration together = new Arguments(all).declaration();
        // On several ranks all decide alike, whatever their backends.
        Optional<LoopParameters> found = mesh.division().ranked()
                ? Optional.of(new LoopDefaults(mesh.kernels(), mesh.options()).of(together))
                : mesh.kernels().fused(declarations, all.stream().map(ParallelLoop::parameters).toList(), together);
        if (found.isEmpty()) {
            return false;
        }
        whole = together;
        parameters = found.get();
        loops.add(loop);
        return true;
    }

    /** Makes the loop that stands for all. */
    @SuppressWarnings("MustBeClosed") // closed by the code that gets it
    ParallelLoop make() {
        return new ParallelLoop(mesh, whole, parameters, Optional.empty());
    }

    private boolean fits(LoopDeclaration loop) {
        boolean shared = false;
        boolean adds = loop.incrementsIndirectly();
        for (ParallelLoop member : loops) {
            LoopDeclaration earlier = member.declaration();
            if (!earlier.set().equals(loop.set()) || earlier.precision() != loop.precision()
                    || (adds && earlier.incrementsIndirectly() && mesh.division().ranked())) {
                return false;
            }
            for (int a = 0; a < earlier.arity(); a++) {
                for (int b = 0; b < loop.arity(); b++) {
                    if (LoopChecks.share(earlier.argument(a), loop.argument(b))) {
                        if (!together(earlier, a, loop, b)) {
                            return false;
                        }
                        shared |= earlier.dat(a) != null;
                    }
                    shared |= earlier.map(a) != null && earlier.map(a).equals(loop.map(b));
                }
            }
        }
        return shared;
    }

    /** Says whether two arguments with the same data let their loops run element by element. */
    private static boolean together(LoopDeclaration one, int a, LoopDeclaration other, int b) {
        if (one.access(a) == Access.READ && other.access(b) == Access.READ) {
            return true;
        }
        if (one.dat(a) == null) {
            return false;
        }
        boolean wholeNumbers = !one.dat(a).type().real() && one.incrementsIndirectly(a)
                && other.incrementsIndirectly(b);
        return wholeNumbers || (one.map(a) == null && other.map(b) == null);
    }

    /** Collects the arguments of loops, each once that all of them reach in the same way. */
    private static final class Arguments {
        private final List<LoopArgument> arguments = new ArrayList<>();
        private final List<Access> accesses = new ArrayList<>();
        private final List<FusedKernel.Part> parts = new ArrayList<>();
        private final LoopDeclaration first;

        Arguments(List<ParallelLoop> loops) {
            first = loops.getFirst().declaration();
            for (ParallelLoop loop : loops) {
                LoopDeclaration declaration = loop.declaration();
                List<Integer> places = new ArrayList<>();
                for (int a = 0; a < declaration.arity(); a++) {
                    places.add(place(declaration, a));
                }
                parts.add(new FusedKernel.Part(declaration.kernel(), places, loop.parameters().style()));
            }
        }

        private int place(LoopDeclaration loop, int a) {
            LoopArgument argument = loop.argument(a);
            for (int place = 0; place < arguments.size() && loop.dat(a) != null; place++) {
                if (same(arguments.get(place), accesses.get(place), argument, loop.access(a))) {
                    accesses.set(place, both(accesses.get(place), loop.access(a)));
                    return place;
                }
            }
            arguments.add(argument);
            accesses.add(loop.access(a));
            return arguments.size() - 1;
        }

        /** Says whether two arguments can be one: a loop's own element, or what both read through the same map. */
        private static boolean same(LoopArgument one, Access first, LoopArgument other, Access second) {
            return switch (one) {
                case Dat dat -> dat.equals(other);
                case IndirectArgument indirect -> first == Access.READ && second == Access.READ
                        && other instanceof IndirectArgument that && indirect.dat().equals(that.dat())
                        && indirect.map().equals(that.map()) && indirect.entry() == that.entry();
                case Global global -> false;
                case Scalar scalar -> false;
                case MeshConstant constant -> false;
                case MeshRaster raster -> false;
            };
        }

        /** What is overwritten first is not read; all else that is changed may have been. */
        private static Access both(Access first, Access second) {
            boolean reads = first == Access.READ && second == Access.READ;
            return first == Access.WRITE || reads ? first : Access.READ_WRITE;
        }

        LoopDeclaration declaration() {
            return LoopDeclaration.fused(new FusedKernel(parts, accesses), first, arguments);
        }
    }
}
