package org.trellis.matrices.market;

import java.util.List;
import org.trellis.matrices.io.ComplexPolicy;

/**
 * Puts entries into a dense array: those of an array file in their order, those of a coordinate file by their
 * indices.
 */
final class DenseFiller {

    private final MarketHeader header;
    private final double mirrorSign;
    private final double[] values;
    private int row;
    private int column;

    DenseFiller(MarketHeader header, ComplexPolicy policy) {
        this.header = header;
        this.mirrorSign = CsrAssembler.mirrorSign(header, policy);
        this.values = new double[header.rows() * header.columns()];
    }

    DenseArray fill(List<EntryBlock> blocks) {
        boolean coordinates = header.format() == MarketFormat.COORDINATE;
        row = coordinates ? 0 : firstRowOfColumn();
        for (EntryBlock block : blocks) {
            for (int k = block.from(); k < block.to(); k++) {
                double value = block.values().length == 0 ? 1 : block.values()[k];
                if (coordinates) {
                    add(block.rows()[k], block.columns()[k], value);
                } else {
                    put(row, column, value);
                    advance();
                }
            }
        }
        return new DenseArray(header.rows(), header.columns(), values);
    }

    /** Sets an element that comes once only, so that a negative zero stays one. */
    private void put(int i, int j, double value) {
        values[i + header.rows() * j] = value;
        if (i != j && header.mirrored()) {
            values[j + header.rows() * i] = mirrorSign * value;
        }
    }

    private void add(int i, int j, double value) {
        values[i + header.rows() * j] += value;
        if (i != j && header.mirrored()) {
            values[j + header.rows() * i] += mirrorSign * value;
        }
    }

    private void advance() {
        row++;
        if (row == header.rows()) {
            column++;
            row = firstRowOfColumn();
        }
    }

    private int firstRowOfColumn() {
        return switch (header.symmetry()) {
            case GENERAL -> 0;
            case SYMMETRIC, HERMITIAN -> column;
            case SKEW_SYMMETRIC -> column + 1;
        };
    }
}
