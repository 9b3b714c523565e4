package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.trellis.sparse.SparseMatrix;

/** What a set-up notices: thresholds that cut rows off, and levels that do not shrink. */
final class SetupRemarks {
    /** A level of more than this share of the rows above it is not worth its products. */
    private static final double LEAST_GAIN = 0.9;
    /** A share of rows without strong couplings that is worth a remark. */
    private static final double MANY = 0.2;

    private final List<String> remarks = new ArrayList<>();

    /** Returns what was noticed. */
    List<String> list() {
        return remarks;
    }

    /** Remarks on a threshold that leaves many nodes alone. */
    void cutOff(int level, int all, int alone, String what, StrengthOptions strength) {
        if (alone > MANY * all && strength.theta() > 0) {
            String usual = what.equals("row")
                    ? "0.25 is usual"
                    : strength.measure() == StrengthMeasure.SIGNED
                            ? "0.3 for signed strength is usual"
                            : "0 to 0.08 is usual, and a symmetric theta of 0.25 loses all couplings of "
                                    + "isotropic stencils";
            remarks.add(String.format(Locale.ROOT, "level %d: with theta %s, %d of %d %ss have no strong coupling, so "
                    + "nothing but the smoother acts on them; theta %s", level, strength.theta(), alone, all, what,
                    usual));
        }
    }

    /** Says whether a next level of so many rows gains something, and remarks if it does not. */
    boolean shrinks(int level, SparseMatrix a, int rows, StrengthOptions strength) {
        if (rows > 0 && rows <= LEAST_GAIN * a.rows()) {
            return true;
        }
        boolean diagonal = a.nonZeros() <= a.rows();
        if (!diagonal) {
            remarks.add(String.format(Locale.ROOT, "level %d of %d rows would be followed by one of %d rows and is the "
                    + "last; a smaller theta than %s, fewer vectors of the near null space or another coarsening may "
                    + "help", level, a.rows(), rows, strength.theta()));
        }
        return false;
    }
}
