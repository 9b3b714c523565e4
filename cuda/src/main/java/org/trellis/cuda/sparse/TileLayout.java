package org.trellis.cuda.sparse;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A CSR matrix in tiles of at most so many non-zeros, as {@code balanced.cu} reads it. A tile is a range of whole rows,
 * or a piece of a row that is longer than a tile.
 *
 * @param tiles  eight integers a tile: first row, rows, first non-zero, non-zeros, start of its codes in units of two,
 *               start of its bases, bit field, split row or -1
 * @param splits four integers a split row: row, first piece, pieces, 0
 * @param bases  bases of the codes of all tiles
 * @param codes  columns as codes, or null if the columns of the matrix are used
 */
record TileLayout(int[] tiles, int[] splits, int[] bases, short[] codes) {
    private static final int TILE_RECORD = 8;
    private static final int SPLIT_RECORD = 4;
    private static final int PIECE_SHIFT = 6;
    private static final int WIDE_BIT = 1 << 5;

    static TileLayout of(HostCsr matrix, int tileNonZeros, int indexBits) {
        TileLayout plain = cut(matrix, tileNonZeros);
        return indexBits == Integer.SIZE ? plain : plain.coded(matrix);
    }

    int count() {
        return tiles.length / TILE_RECORD;
    }

    int splitCount() {
        return splits.length / SPLIT_RECORD;
    }

    int pieces() {
        return splits.length == 0
                ? 0
                : splits[splits.length - SPLIT_RECORD + 1] + splits[splits.length - SPLIT_RECORD + 2];
    }

    /** Cuts greedily: as many whole rows as fit. A tile has at most as many rows as it may have non-zeros. */
    private static TileLayout cut(HostCsr matrix, int limit) {
        IntList tiles = new IntList();
        IntList splits = new IntList();
        int[] offsets = matrix.rowOffsets();
        int pieces = 0;
        for (int row = 0; row < matrix.rows();) {
            int start = offsets[row];
            if (offsets[row + 1] - start > limit) {
                int count = Math.ceilDiv(offsets[row + 1] - start, limit);
                int split = splits.size() / SPLIT_RECORD;
                splits.add(row, pieces, count, 0);
                for (int piece = 0; piece < count; piece++) {
                    int from = start + piece * limit;
                    int length = Math.min(limit, offsets[row + 1] - from);
                    tiles.add(row, 1, from, length, 0, 0, pieces++ << PIECE_SHIFT, split);
                }
                row++;
                continue;
            }
            int end = row + 1;
            while (end < matrix.rows() && end - row < limit && offsets[end + 1] - start <= limit) {
                end++;
            }
            tiles.add(row, end - row, start, offsets[end] - start, 0, 0, 0, -1);
            row = end;
        }
        return new TileLayout(tiles.toArray(), splits.toArray(), new int[0], null);
    }

    private TileLayout coded(HostCsr matrix) {
        int[][] found = new int[count()][];
        IntStream.range(0, count()).parallel().forEach(tile -> {
            int[] columns = Arrays.copyOfRange(matrix.columnIndices(), firstNonZero(tile),
                    firstNonZero(tile) + nonZeros(tile));
            found[tile] = ColumnCodes.cover(columns, columns.length);
        });
        IntList allBases = new IntList();
        long length = 0;
        for (int tile = 0; tile < count(); tile++) {
            tiles[TILE_RECORD * tile + 4] = (int) (length / 2);
            tiles[TILE_RECORD * tile + 5] = allBases.size();
            if (found[tile] == null) {
                tiles[TILE_RECORD * tile + 6] |= WIDE_BIT;
                length += 2L * nonZeros(tile);
            } else {
                tiles[TILE_RECORD * tile + 6] |= found[tile].length;
                allBases.add(found[tile]);
                length += nonZeros(tile) + nonZeros(tile) % 2;
            }
        }
        short[] coded = new short[Math.toIntExact(length)];
        IntStream.range(0, count()).parallel().forEach(tile -> encode(matrix, tile, found[tile], coded));
        return new TileLayout(tiles, splits, allBases.toArray(), coded);
    }

    private void encode(HostCsr matrix, int tile, int[] tileBases, short[] target) {
        int first = firstNonZero(tile);
        int at = 2 * tiles[TILE_RECORD * tile + 4];
        for (int k = 0; k < nonZeros(tile); k++) {
            int column = matrix.columnIndices()[first + k];
            if (tileBases == null) {
                ColumnCodes.writeWide(target, at + 2 * k, column);
            } else {
                target[at + k] = (short) ColumnCodes.encode(tileBases, column);
            }
        }
    }

    private int firstNonZero(int tile) {
        return tiles[TILE_RECORD * tile + 2];
    }

    private int nonZeros(int tile) {
        return tiles[TILE_RECORD * tile + 3];
    }
}
