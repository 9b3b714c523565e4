package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.sparse.SparseMatrix;

/**
 * Sets a hierarchy up, level by level, until one is small enough or nothing is gained: which couplings count, when to
 * stop and what to remark is decided here, for every place where matrices may be ({@link HierarchyBuilder}).
 */
public final class HierarchyDriver {
    /** A share of weak couplings up to which all count. */
    private static final double MAX_WEAK_SHARE = 0.02;
    /** A level of more than this share of the rows above it is not worth its products. */
    private static final double LEAST_GAIN = 0.9;
    /** A share of rows without strong couplings that is worth a remark. */
    private static final double REMARKABLE_LONE_SHARE = 0.2;
    private static final int ROUNDINGS = 16;

    private final CoarseningOptions options;
    private final List<String> remarks = new ArrayList<>();
    private StrengthOptions strength;
    private boolean symmetric;

    /**
     * Takes the options.
     *
     * @param options how levels are made
     */
    public HierarchyDriver(CoarseningOptions options) {
        this.options = Objects.requireNonNull(options);
    }

    /**
     * Sets a hierarchy up.
     *
     * @param builder has the finest level
     * @throws IllegalArgumentException if an element is not finite, or signed strength is asked for nodes of several
     *                                  unknowns
     */
    public void run(HierarchyBuilder builder) {
        builder.requireFinite();
        symmetric = builder.isSymmetric();
        strength = choose(builder);
        while (builder.level() + 1 < options.maximumLevels() && builder.rows() > options.coarseRows()) {
            HierarchyBuilder.Groups groups = builder.group(strength);
            remarkCutOff(builder.level(), groups);
            if (!shrinks(builder, groups.rows())) {
                builder.ungroup();
                return;
            }
            builder.coarsen(symmetric);
        }
    }

    /**
     * Sets the same levels up for other values.
     *
     * @param builder has the finest level
     * @return whether the matrices of all levels are symmetric now
     * @throws IllegalArgumentException if an element is not finite
     */
    public static boolean again(HierarchyBuilder builder) {
        builder.requireFinite();
        boolean symmetric = builder.isSymmetric();
        boolean more = true;
        while (more) {
            more = builder.coarsenAgain(symmetric);
        }
        return symmetric;
    }

    /** Finds out which couplings count if that was left to us. */
    private StrengthOptions choose(HierarchyBuilder builder) {
        StrengthOptions given = options.strength();
        int blockSize = builder.blockSize();
        if (given.measure() != StrengthMeasure.AUTOMATIC) {
            if (!options.coarsening().splits() && given.measure() == StrengthMeasure.SIGNED
                    && blockSize > 1) {
                throw new IllegalArgumentException("multigrid with strength=signed for nodes of " + blockSize
                        + " unknowns, expected strength=symmetric: the coupling of two nodes is a norm");
            }
            return given;
        }
        return blockSize == 1 && builder.weakShare(given.theta()) > MAX_WEAK_SHARE
                ? new StrengthOptions(StrengthMeasure.SIGNED, given.theta())
                : StrengthOptions.of(StrengthMeasure.SYMMETRIC);
    }

    /** Remarks on a threshold that leaves many nodes alone. */
    private void remarkCutOff(int level, HierarchyBuilder.Groups groups) {
        if (groups.alone() > REMARKABLE_LONE_SHARE * groups.all() && strength.theta() > 0) {
            String usual = groups.kind() == HierarchyBuilder.Groups.Kind.ROW
                    ? "0.25 is usual"
                    : strength.measure() == StrengthMeasure.SIGNED
                            ? "0.3 for signed strength is usual"
                            : "0 to 0.08 is usual, and a symmetric theta of 0.25 loses all couplings of "
                                    + "isotropic stencils";
            remarks.add(String.format(Locale.ROOT, "level %d: with theta %s, %d of %d %ss have no strong coupling, so "
                    + "nothing but the smoother acts on them; theta %s", level, strength.theta(), groups.alone(),
                    groups.all(), groups.kind().name().toLowerCase(Locale.ROOT), usual));
        }
    }

    /** Says whether a next level of so many rows gains something, and remarks if it does not. */
    private boolean shrinks(HierarchyBuilder builder, long rows) {
        if (rows > 0 && rows <= LEAST_GAIN * builder.rows()) {
            return true;
        }
        if (!builder.isDiagonal()) {
            remarks.add(String.format(Locale.ROOT, "level %d of %d rows would be followed by one of %d rows and is the "
                    + "last; a smaller theta than %s, fewer vectors of the near null space or another coarsening may "
                    + "help", builder.level(), builder.rows(), rows, strength.theta()));
        }
        return false;
    }

    /**
     * Returns which couplings counted.
     *
     * @return what was asked for, or what was found out; null before a set-up
     */
    public StrengthOptions strength() {
        return strength;
    }

    /**
     * Says whether matrices of all levels were found or made symmetric.
     *
     * @return false before a set-up
     */
    public boolean symmetric() {
        return symmetric;
    }

    /**
     * Returns what was noticed in the first set-up.
     *
     * @return sentences that say what would help
     */
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    /**
     * Returns the share by which mirror images may differ from rounding.
     *
     * @param precision of the matrix
     * @return a small number
     */
    public static double tolerance(Precision precision) {
        return ROUNDINGS * precision.unitRoundoff();
    }

    /** Checks a finest matrix; returns its near null space, which is constants where none is given. */
    static NearNullSpace spaceOf(SparseMatrix matrix, NearNullSpace given) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("multigrid for " + matrix + ", expected a square matrix");
        }
        NearNullSpace finest = given == null ? NearNullSpace.constants(matrix.rows(), 1) : given;
        Checks.length("length of the near null space", finest.rows(), matrix.rows());
        return finest;
    }
}
