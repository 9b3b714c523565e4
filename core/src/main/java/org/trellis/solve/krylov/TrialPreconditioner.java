package org.trellis.solve.krylov;

/** What preconditions iterations on one thread of the host, on plain arrays in double precision. */
interface TrialPreconditioner {
    /** Computes {@code z = M⁻¹ r}; z may be r. */
    void solve(double[] r, double[] z);

    /** Says whether it can precondition conjugate gradients. */
    boolean isDefinite();

    /** Returns its name in reports, by whether the method is conjugate gradients. */
    String label(boolean conjugate);
}
