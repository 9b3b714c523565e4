package org.trellis.sparse;

/** Draws where the entries of a matrix are, in characters of Braille: each has two columns of four dots. */
final class MatrixPicture {
    private static final int DOTS_DOWN = 4;
    private static final int DOTS_ACROSS = 2;
    private static final char NO_DOTS = '\u2800';
    /** The bits of a character's dots, row by row. */
    private static final int[][] BITS = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

    private MatrixPicture() {}

    static String of(CsrMatrix a, int mostLines, int mostCharacters) {
        int lines = characters(a.rows(), mostLines, DOTS_DOWN);
        int width = characters(a.columns(), mostCharacters, DOTS_ACROSS);
        int[][] bits = new int[lines][width];
        long dotsDown = Math.min(a.rows(), (long) lines * DOTS_DOWN);
        long dotsAcross = Math.min(a.columns(), (long) width * DOTS_ACROSS);
        a.forEachEntry((row, column, value) -> {
            int y = (int) (row * dotsDown / a.rows());
            int x = (int) (column * dotsAcross / a.columns());
            bits[y / DOTS_DOWN][x / DOTS_ACROSS] |= BITS[y % DOTS_DOWN][x % DOTS_ACROSS];
        });
        StringBuilder text = new StringBuilder(a.toString()).append('\n');
        text.append('┌').append("─".repeat(width)).append("┐\n");
        for (int[] line : bits) {
            text.append('│');
            for (int character : line) {
                text.append((char) (NO_DOTS + character));
            }
            text.append("│\n");
        }
        return text.append('└').append("─".repeat(width)).append("┘\n").toString();
    }

    private static int characters(int size, int most, int dots) {
        return Math.min(most, Math.ceilDiv(size, dots));
    }
}
