package org.trellis.bench.peers.read;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Matrix Market files to read: the five-point stencil on a square grid, about five entries a grid point.
 *
 * @param name    what it is called
 * @param side    grid points along a side
 * @param digits  whether values are random numbers with all their digits, instead of 4 and -1
 * @param columns whether entries are sorted by columns, as most files are, instead of rows
 */
public record SampleFile(String name, int side, boolean digits, boolean columns) {
    private static final long SEED = 20260101;

    /**
     * Returns the two files that the benchmark uses: small integers by rows, and all digits by columns.
     *
     * @param side grid points along a side; 2000 give 20 million entries
     * @return descriptions, nothing is written yet
     */
    public static List<SampleFile> pair(int side) {
        return List.of(new SampleFile("short", side, false, false), new SampleFile("digits", side, true, true));
    }

    /**
     * Returns the number of entries.
     *
     * @return entries of the file
     */
    public long entries() {
        return 5L * side * side - 4L * side;
    }

    /**
     * Writes the file.
     *
     * @param folder where
     * @return its path
     * @throws IOException if it cannot be written
     */
    public Path write(Path folder) throws IOException {
        Path file = folder.resolve(name + "-" + side + ".mtx");
        int points = side * side;
        SplittableRandom random = new SplittableRandom(SEED);
        try (OutputStream output = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            print(output, "%%MatrixMarket matrix coordinate real general\n" + points + " " + points + " " + entries()
                    + "\n");
            for (int point = 0; point < points; point++) {
                for (int neighbour : neighbours(point)) {
                    if (neighbour >= 0) {
                        print(output, entry(point, neighbour, random));
                    }
                }
            }
        }
        return file;
    }

    private int[] neighbours(int point) {
        int x = point % side;
        int y = point / side;
        return new int[]{y > 0 ? point - side : -1, x > 0 ? point - 1 : -1, point, x < side - 1 ? point + 1 : -1,
            y < side - 1 ? point + side : -1};
    }

    private String entry(int point, int neighbour, SplittableRandom random) {
        String value = digits ? Double.toString(random.nextDouble(-4, 4)) : point == neighbour ? "4" : "-1";
        int row = columns ? neighbour : point;
        int column = columns ? point : neighbour;
        return (row + 1) + " " + (column + 1) + " " + value + "\n";
    }

    private static void print(OutputStream output, String text) throws IOException {
        output.write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
