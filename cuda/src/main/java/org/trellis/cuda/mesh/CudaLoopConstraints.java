package org.trellis.cuda.mesh;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopStyle;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopDeviceParameters.Staging;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.plan.LoopPlans;

/** Says why a loop cannot be run with given parameters. What depends on the plan is found when the loop is prepared. */
final class CudaLoopConstraints {
    /** Schemes under which a loop cannot add through maps of variable arity. */
    private static final Set<LoopScheme> WITHOUT_ROWS =
            EnumSet.of(LoopScheme.OWNER_COMPUTE, LoopScheme.RECOMPUTE, LoopScheme.ATOMICS);
    /** Schemes whose launches may begin with any element. */
    private static final Set<LoopScheme> IN_PARTS =
            EnumSet.of(LoopScheme.IN_ORDER, LoopScheme.TEMPORARY, LoopScheme.RECOMPUTE, LoopScheme.ATOMICS);
    private static final int LEAST_REGISTERS = 16;
    private static final int MOST_REGISTERS = 255;
    private static final int WARP = 32;
    private static final int MOST_PER_THREAD = 8;

    private CudaLoopConstraints() {}

    static Optional<String> objection(LoopDeclaration loop, LoopParameters parameters) {
        return LoopPlans.objection(loop, parameters)
                .or(() -> general(loop, parameters))
                .or(() -> numbers(parameters.device()))
                .or(() -> forms(loop, parameters))
                .or(() -> staging(loop, parameters))
                .or(() -> order(parameters))
                .or(() -> wide(loop, parameters))
                .or(() -> PullCode.objection(loop, parameters));
    }

    private static Optional<String> general(LoopDeclaration loop, LoopParameters parameters) {
        if (parameters.style() != LoopStyle.SCALAR) {
            return Optional.of("style is " + parameters.style() + ", which is for CPUs; expected " + LoopStyle.SCALAR);
        }
        if (parameters.scheme() == LoopScheme.IN_ORDER && loop.incrementsIndirectly()) {
            return Optional.of("scheme is in-order for a loop that adds through maps, expected another scheme");
        }
        if (loop.set().inParts() && (!IN_PARTS.contains(parameters.scheme())
                || parameters.device().staging() != Staging.NONE || (parameters.fission()
                        && parameters.scheme() != LoopScheme.TEMPORARY))) {
            return Optional.of("scheme " + parameters.scheme().label() + " over " + loop.set()
                    + ", which is in parts, expected one without blocks: in-order, temporary, recompute or atomics, "
                    + "without staging");
        }
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.set().inParts() && loop.argument(a) instanceof Scalar scalar && loop.access(a).reduces()) {
                return Optional.of(loop.where(a) + " reduces into " + scalar + " over " + loop.set()
                        + ", which is in parts, expected a global, which parts add to one after the other");
            }
            if (loop.argument(a) instanceof Scalar scalar && loop.access(a) == Access.READ
                    && scalar.components() > ValueCode.COPIED) {
                return Optional.of(loop.where(a) + " is " + scalar + ", expected at most " + ValueCode.COPIED
                        + " scalars in one argument");
            }
        }
        boolean rows = LoopTables.addsThroughRows(loop);
        if (rows && parameters.fission()) {
            return Optional.of("fission of a loop that adds through a map of variable arity, expected none");
        }
        if (rows && WITHOUT_ROWS.contains(parameters.scheme())) {
            return Optional.of(parameters.scheme().label()
                    + " of a loop that adds through a map of variable arity, expected another scheme");
        }
        return Optional.empty();
    }

    private static Optional<String> numbers(LoopDeviceParameters device) {
        if (device.threads() % WARP != 0 || device.threads() > CudaLoopBuilder.MAXIMUM_THREADS) {
            return Optional.of("threads is " + device.threads() + ", expected a multiple of " + WARP + " up to "
                    + CudaLoopBuilder.MAXIMUM_THREADS + ", or 0");
        }
        if (device.registers() != 0
                && (device.registers() < LEAST_REGISTERS || device.registers() > MOST_REGISTERS)) {
            return Optional.of("registers is " + device.registers() + ", expected " + LEAST_REGISTERS + " to "
                    + MOST_REGISTERS + ", or 0");
        }
        return device.perThread() > MOST_PER_THREAD
                ? Optional.of("perThread is " + device.perThread() + ", expected 1 to " + MOST_PER_THREAD)
                : Optional.empty();
    }

    private static Optional<String> forms(LoopDeclaration loop, LoopParameters parameters) {
        LoopDeviceParameters device = parameters.device();
        boolean stores = parameters.scheme() == LoopScheme.TEMPORARY || parameters.fission();
        boolean flat = stores || (device.staging() == Staging.NONE
                && (parameters.scheme() == LoopScheme.IN_ORDER || parameters.scheme() == LoopScheme.ATOMICS));
        if (device.perThread() > 1 && !flat) {
            return Optional.of("perThread is " + device.perThread() + " under " + parameters.scheme().label()
                    + ", expected 1; more in-order, under atomics without staging, and where contributions are stored");
        }
        if (device.transposed() && (!stores || LoopTables.addsThroughRows(loop))) {
            return Optional.of("stored contributions transposed under " + parameters.scheme().label()
                    + ", expected temporary or fission, and maps of fixed arity");
        }
        return Optional.empty();
    }

    private static Optional<String> staging(LoopDeclaration loop, LoopParameters parameters) {
        Staging staging = parameters.device().staging();
        if (staging == Staging.NONE) {
            return Optional.empty();
        }
        String found = "staging is " + staging.label() + " under " + parameters.scheme().label();
        return switch (parameters.scheme()) {
            case FULL_PERMUTE, TEMPORARY, RECOMPUTE -> Optional.of(found + ", which has no blocks; expected none");
            case IN_ORDER -> staging == Staging.ALL && IntStream.range(0, loop.arity())
                    .anyMatch(a -> loop.access(a) == Access.READ && loop.map(a) != null && !LoopTables.byRows(loop, a))
                            ? Optional.empty()
                            : Optional.of(found + ", expected none, or all for a loop that reads through maps");
            case OWNER_COMPUTE -> staging == Staging.ALL
                    ? Optional.empty()
                    : Optional.of(found + ", which stages increments anyway; expected none or all");
            case TWO_LEVEL, BLOCK_PERMUTE, ATOMICS -> LoopTables.addsThroughRows(loop)
                    ? Optional.of(found + " of a loop that adds through a map of variable arity, expected none")
                    : Optional.empty();
        };
    }

    private static Optional<String> wide(LoopDeclaration loop, LoopParameters parameters) {
        boolean fits = parameters.device().staging() == Staging.NONE
                && parameters.scheme() != LoopScheme.OWNER_COMPUTE && parameters.scheme() != LoopScheme.RECOMPUTE;
        return fits || !LoopTables.hasWide(loop)
                ? Optional.empty()
                : Optional.of("scheme " + parameters.scheme().label() + ", staging "
                        + parameters.device().staging().label() + ", of a loop that reaches data through hundreds of "
                        + "columns of maps, expected two-level, block-permute, full-permute, temporary or atomics "
                        + "without staging");
    }

    private static Optional<String> order(LoopParameters parameters) {
        LoopDeviceParameters device = parameters.device();
        boolean blocks = switch (parameters.scheme()) {
            case TWO_LEVEL -> true;
            case ATOMICS -> device.staging() != Staging.NONE;
            default -> false;
        };
        if (device.sorted() && !blocks) {
            return Optional.of("elements sorted by colour under " + parameters.scheme().label()
                    + ", expected two-level, or atomics with staging");
        }
        if (device.colourOrdered() && !blocks && parameters.scheme() != LoopScheme.OWNER_COMPUTE) {
            return Optional.of("kernel run by colour under " + parameters.scheme().label()
                    + ", expected two-level, owner-compute, or atomics with staging");
        }
        return Optional.empty();
    }
}
