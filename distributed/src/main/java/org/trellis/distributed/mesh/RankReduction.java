package org.trellis.distributed.mesh;

import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.device.DeviceReduction;
import org.trellis.kernel.Access;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.PreparedReduction;
import org.trellis.mesh.Scalar;

/**
 * A global or scalar of a loop on a rank: a global of the rank's own mesh has the value for the loop, and what each
 * rank makes of it is combined over all of them, in the same order each time. Allocates nothing when loops run.
 */
final class RankReduction {
    private final LoopDeclaration loop;
    private final int argument;
    private final Access access;
    private final Global own;
    private final boolean combined;
    private final double[] reals;
    private final long[] wholes;
    /** Shared with other loops, and combined on devices or of the rank that has everything; null if that is not so. */
    private final RankGlobal shared;
    /** Whether one rank has everything. */
    private final boolean sole;

    /**
     * Declares the rank's own global.
     *
     * @param share    what the rank has
     * @param loop     the loop of the whole mesh
     * @param argument the index of a global or scalar among its arguments
     * @param name     a name for the global
     */
    RankReduction(RankMesh share, LoopDeclaration loop, int argument, String name) {
        this.loop = loop;
        this.argument = argument;
        this.access = loop.access(argument);
        this.combined = access.reduces() && !loop.set().isReplicated();
        int components = loop.signature(argument).components();
        boolean real = !(loop.argument(argument) instanceof Global global) || global.real();
        boolean onDevice = share.reduction().isPresent() && components <= DeviceReduction.MAX_NUMBERS;
        this.sole = share.sole().isPresent();
        this.shared = (sole || (real && onDevice)) && loop.argument(argument) instanceof Global global
                ? share.global(global)
                : null;
        this.own = shared != null
                ? shared.own()
                : real
                        ? share.mesh().global(name, new double[components])
                        : share.mesh().intGlobal(name, new int[components]);
        this.reals = new double[components];
        this.wholes = new long[real ? 0 : components];
    }

    Global own() {
        return own;
    }

    /** Says whether it is a global, not a scalar. */
    boolean isGlobal() {
        return loop.argument(argument) instanceof Global;
    }

    /** Returns the global of the whole mesh. */
    Global whole() {
        return (Global) loop.argument(argument);
    }

    /** Says whether the loop reduces into it. */
    boolean reduces() {
        return access.reduces();
    }

    /** Says whether the loop reduces into it and devices of several ranks combine it. */
    boolean isOnDevices() {
        return access.reduces() && shared != null && !sole;
    }

    /** Gives the rank's global what the loop begins with. */
    void begin(Communicator communicator) {
        if (shared != null) {
            beginShared(communicator.rank() == 0);
            return;
        }
        boolean fresh = combined || (access.reduces() && loop.argument(argument) instanceof Scalar);
        for (int c = 0; c < reals.length; c++) {
            reals[c] = fresh ? neutral() : value(c);
        }
        own.set(reals);
    }

    /** Gives the global of the rank that has everything what the loop begins with; a scalar as on several ranks. */
    void beginSole(SingleOwnerRank rank, Communicator communicator) {
        if (shared == null) {
            begin(communicator);
            return;
        }
        if (access.reduces()) {
            shared.changing();
        }
        if (rank.isHere()) {
            shared.load();
        }
    }

    /** Lets all ranks know what the rank that has everything has reduced. */
    void finishSole(RankMesh share) {
        if (shared == null) {
            finish(share);
        } else if (access.reduces()) {
            shared.changed();
        }
    }

    /** The first rank begins with the value that there is, so that the total contains it once. */
    private void beginShared(boolean first) {
        boolean fresh = combined && !first;
        if (!fresh && shared.isNewer()) {
            return;
        }
        for (int c = 0; c < reals.length; c++) {
            reals[c] = fresh ? neutral() : value(c);
        }
        own.set(reals);
    }

    private double neutral() {
        return switch (access) {
            case MIN -> own.real() ? Double.POSITIVE_INFINITY : Integer.MAX_VALUE;
            case MAX -> own.real() ? Double.NEGATIVE_INFINITY : Integer.MIN_VALUE;
            default -> 0;
        };
    }

    private double value(int component) {
        LoopArgument given = loop.argument(argument);
        return given instanceof Global global
                ? global.get(component)
                : ((Scalar) given).scalars().get(((Scalar) given).first() + component);
    }

    /** Combines over all ranks what the loop has reduced. */
    void finish(RankMesh share) {
        if (!access.reduces()) {
            return;
        }
        if (shared != null) {
            if (combined) {
                combineOnDevices(share.reduction().orElseThrow(), share.batches());
            }
            shared.combined();
            return;
        }
        share.batches().note(false);
        Communicator communicator = share.communicator();
        for (int c = 0; c < reals.length; c++) {
            reals[c] = own.get(c);
        }
        if (combined) {
            combine(communicator);
        }
        LoopArgument given = loop.argument(argument);
        if (given instanceof Scalar scalar) {
            for (int c = 0; c < reals.length; c++) {
                scalar.scalars().set(scalar.first() + c, reals[c]);
            }
        } else {
            Global global = (Global) given;
            for (int c = 0; c < reals.length && combined; c++) {
                reals[c] = combined(global.get(c), reals[c]);
            }
            global.set(reals);
        }
    }

    private void combineOnDevices(DeviceReduction reduction, RankBatches batches) {
        if (batches.isWhole() && reduction.isSelfOrdered()) {
            reduction.combineQuietly(operation(), own);
        } else {
            batches.note(reduction.isSelfOrdered());
            reduction.combine(operation(), own);
        }
    }

    private PreparedReduction.Operation operation() {
        return switch (access) {
            case MIN -> PreparedReduction.Operation.MIN;
            case MAX -> PreparedReduction.Operation.MAX;
            default -> PreparedReduction.Operation.SUM;
        };
    }

    private void combine(Communicator communicator) {
        Reduction reduction = switch (access) {
            case MIN -> Reduction.MIN;
            case MAX -> Reduction.MAX;
            default -> Reduction.SUM;
        };
        if (own.real()) {
            communicator.allReduce(reduction, reals);
            return;
        }
        for (int c = 0; c < wholes.length; c++) {
            wholes[c] = (long) reals[c];
        }
        communicator.allReduce(reduction, wholes);
        for (int c = 0; c < wholes.length; c++) {
            // As sums of whole numbers are on one rank: what does not fit is cut off.
            reals[c] = (int) wholes[c];
        }
    }

    private double combined(double before, double value) {
        double result = switch (access) {
            case MIN -> Math.min(before, value);
            case MAX -> Math.max(before, value);
            default -> before + value;
        };
        return own.real() ? result : (int) (long) result;
    }
}
