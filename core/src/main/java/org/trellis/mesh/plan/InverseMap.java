package org.trellis.mesh.plan;

/**
 * Where each target is reached from: the transpose of a column or of rows.
 *
 * @param offsets   target t is reached from {@code positions[offsets[t]]} to {@code positions[offsets[t + 1] - 1]}
 * @param positions indices into the table that was inverted, rising for each target
 */
public record InverseMap(int[] offsets, int[] positions) {
    /**
     * Inverts a table. Costs two passes.
     *
     * @param table   the target at each position
     * @param targets the number of targets
     * @return the inverse
     */
    public static InverseMap of(int[] table, int targets) {
        int[] offsets = new int[targets + 1];
        for (int target : table) {
            offsets[target + 1]++;
        }
        for (int t = 0; t < targets; t++) {
            offsets[t + 1] += offsets[t];
        }
        int[] next = offsets.clone();
        int[] positions = new int[table.length];
        for (int position = 0; position < table.length; position++) {
            positions[next[table[position]]++] = position;
        }
        return new InverseMap(offsets, positions);
    }
}
