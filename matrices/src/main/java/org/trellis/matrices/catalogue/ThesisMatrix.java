package org.trellis.matrices.catalogue;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.trellis.matrices.generate.Suggestions;

/**
 * What is published about one of the 44 matrices of the thesis, and what is assumed where nothing is. Sizes and counts
 * are those of the SuiteSparse Matrix Collection (index of October 2020); explicit zeros are not among the non-zeros.
 *
 * @param name              the name in the thesis
 * @param group             its group in the collection
 * @param collectionName    its name there
 * @param rows              number of rows
 * @param columns           number of columns
 * @param nonZeros          non-zeros, both triangles, explicit zeros not counted
 * @param explicitZeros     entries of the original whose value is 0; a surrogate has none
 * @param type              Rutherford-Boeing type: r real, p pattern, c complex, i integer; s symmetric, u unsymmetric,
 *                          r rectangular; a assembled
 * @param diagonal          non-zeros on the diagonal
 * @param patternSymmetry   share of off-diagonal entries that have a partner
 * @param bandwidth         largest distance of an entry from the diagonal
 * @param positiveDefinite  whether it is symmetric positive definite
 * @param thesisMean        mean row length as Table 4.1 of the thesis prints it, where it does
 * @param deviation         standard deviation of the row lengths
 * @param deviationOrigin   where the deviation comes from
 * @param deviationNote     the source, or the assumption
 * @param description       what it is
 * @param recipe            how its surrogate is made
 */
public record ThesisMatrix(String name, String group, String collectionName, int rows, int columns, long nonZeros,
        long explicitZeros, String type, int diagonal, double patternSymmetry, int bandwidth,
        boolean positiveDefinite, OptionalDouble thesisMean, double deviation, Origin deviationOrigin,
        String deviationNote, String description, Recipe recipe) {

    private static final List<ThesisMatrix> ALL =
            CsvTable.read("thesis-matrices.csv").stream().map(ThesisMatrix::parse).toList();

    /** Where a number comes from. */
    public enum Origin {
        /** Printed in the thesis. */
        PUBLISHED,
        /** Follows from published numbers or facts. */
        DERIVED,
        /** Not published in a source at hand; the note says what is assumed. */
        ASSUMED;

        /**
         * Returns the name for tables.
         *
         * @return the name in small letters
         */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How a surrogate is made. Everything here is a choice of this library, not a fact about the original.
     *
     * @param structure  the kind of pattern
     * @param unknowns   rows of one node, which share their columns
     * @param lengths    the family of row length distributions, {@code normal} or {@code lognormal}
     * @param shortest   shortest row
     * @param longest    longest row, long rows aside
     * @param window     columns around the diagonal in which most entries of {@link Structure#LOCAL} lie
     * @param far        share of entries outside
     * @param longRows   lengths of neighbouring long rows in the middle
     */
    public record Recipe(Structure structure, int unknowns, String lengths, int shortest, int longest, int window,
            double far, List<Integer> longRows) {}

    /** Kinds of patterns. */
    public enum Structure {
        /** The seven-point stencil of the original's grid. */
        STENCIL,
        /** Linear triangles on the original's grid. */
        GRID,
        /** Triangles on a torus, each with its three neighbours. */
        TRIANGLES,
        /** A symmetric pattern of blocks between neighbours on a surface. */
        SYMMETRIC2D,
        /** A symmetric pattern of blocks between neighbours in space. */
        SYMMETRIC3D,
        /** Rows of given lengths whose columns are the nearest neighbours on a surface. */
        LATTICE2D,
        /** Rows of given lengths whose columns are the nearest neighbours in space. */
        LATTICE3D,
        /** Rows of given lengths whose columns are random, most of them near the diagonal. */
        LOCAL
    }

    /**
     * Returns all 44.
     *
     * @return those of Table 4.1 first, then the others, in the order of the thesis
     */
    public static List<ThesisMatrix> all() {
        return ALL;
    }

    /**
     * Finds a matrix.
     *
     * @param name its name in the thesis or in the collection
     * @return the facts
     * @throws IllegalArgumentException if it is not one of the 44
     */
    public static ThesisMatrix named(String name) {
        Optional<ThesisMatrix> found =
                ALL.stream().filter(m -> m.name.equals(name) || m.collectionName.equals(name)).findFirst();
        return found.orElseThrow(() -> new IllegalArgumentException("'" + name
                + "' is not one of the 44 matrices of the thesis"
                + Suggestions.phrase(name, ALL.stream().map(ThesisMatrix::name).toList())));
    }

    /**
     * Returns the mean row length.
     *
     * @return non-zeros by rows
     */
    public double mean() {
        return (double) nonZeros / rows;
    }

    /**
     * Returns whether the matrix equals its transpose.
     *
     * @return true for the types with an s
     */
    public boolean symmetric() {
        return type.charAt(1) == 's';
    }

    private static ThesisMatrix parse(Map<String, String> row) {
        String mean = row.get("thesisMean");
        return new ThesisMatrix(row.get("name"), row.get("group"), row.get("collectionName"), integer(row, "rows"),
                integer(row, "columns"), integer(row, "nonZeros"), integer(row, "explicitZeros"), row.get("type"),
                integer(row, "diagonal"), Double.parseDouble(row.get("patternSymmetry")), integer(row, "bandwidth"),
                row.get("positiveDefinite").equals("yes"),
                mean.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(mean)),
                Double.parseDouble(row.get("deviation")),
                Origin.valueOf(row.get("deviationOrigin").toUpperCase(Locale.ROOT)), row.get("deviationNote"),
                row.get("description"), parseRecipe(row));
    }

    private static Recipe parseRecipe(Map<String, String> row) {
        String far = row.get("far");
        String window = row.get("window");
        List<Integer> longRows = row.get("longRows").isEmpty()
                ? List.of()
                : Arrays.stream(row.get("longRows").split(" ")).map(Integer::valueOf).toList();
        return new Recipe(Structure.valueOf(row.get("structure").toUpperCase(Locale.ROOT)),
                integer(row, "unknowns"), row.get("lengths"), integer(row, "shortest"), integer(row, "longest"),
                window.isEmpty() ? 0 : Integer.parseInt(window), far.isEmpty() ? 0 : Double.parseDouble(far), longRows);
    }

    private static int integer(Map<String, String> row, String column) {
        return Integer.parseInt(row.get(column));
    }
}
