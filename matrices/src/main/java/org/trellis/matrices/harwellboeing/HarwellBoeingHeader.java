package org.trellis.matrices.harwellboeing;

/**
 * What a Harwell-Boeing or Rutherford-Boeing file says before its data.
 *
 * @param title    the title
 * @param values   R for real, C for complex, I for integer, P for pattern
 * @param symmetry S, U (unsymmetric), H (Hermitian), Z (skew) or R (rectangular)
 * @param rows     number of rows
 * @param columns  number of columns
 * @param entries  number of entries that the file stores
 */
public record HarwellBoeingHeader(String title, char values, char symmetry, int rows, int columns, int entries) {

    /** Whether an entry off the diagonal stands for two. */
    boolean mirrored() {
        return symmetry == 'S' || symmetry == 'H' || symmetry == 'Z';
    }
}
