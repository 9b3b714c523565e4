package org.trellis.matrices.market;

/** Which entries a Matrix Market file leaves out because others imply them. */
public enum MarketSymmetry {
    /** None. */
    GENERAL("general"),
    /** One triangle: {@code a(j,i) = a(i,j)}. */
    SYMMETRIC("symmetric"),
    /** One triangle and the diagonal, which is zero: {@code a(j,i) = -a(i,j)}. */
    SKEW_SYMMETRIC("skew-symmetric"),
    /** One triangle: {@code a(j,i)} is the complex conjugate of {@code a(i,j)}. */
    HERMITIAN("hermitian");

    private final String word;

    MarketSymmetry(String word) {
        this.word = word;
    }

    /**
     * Returns the word that the banner uses.
     *
     * @return for example {@code "skew-symmetric"}
     */
    public String word() {
        return word;
    }
}
