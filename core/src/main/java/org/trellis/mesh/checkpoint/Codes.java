package org.trellis.mesh.checkpoint;

import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.Layout;

/** The numbers that stand for types, layouts and kinds of records in files. */
final class Codes {
    private Codes() {}

    static int of(ScalarType type) {
        return switch (type) {
            case F64 -> 0;
            case F32 -> 1;
            case INT -> 2;
        };
    }

    static ScalarType type(int code) {
        return switch (code) {
            case 0 -> ScalarType.F64;
            case 1 -> ScalarType.F32;
            case 2 -> ScalarType.INT;
            default -> throw unknown("type", code);
        };
    }

    static int of(Layout layout) {
        return switch (layout) {
            case AOS -> 0;
            case SOA -> 1;
        };
    }

    static Layout layout(int code) {
        return switch (code) {
            case 0 -> Layout.AOS;
            case 1 -> Layout.SOA;
            default -> throw unknown("layout", code);
        };
    }

    static int of(LogRecord.Kind kind) {
        return switch (kind) {
            case GLOBAL -> 0;
            case SCALARS -> 1;
            case DAT -> 2;
            case VALUE -> 3;
        };
    }

    static LogRecord.Kind kind(int code) {
        return switch (code) {
            case 0 -> LogRecord.Kind.GLOBAL;
            case 1 -> LogRecord.Kind.SCALARS;
            case 2 -> LogRecord.Kind.DAT;
            case 3 -> LogRecord.Kind.VALUE;
            default -> throw unknown("kind of record", code);
        };
    }

    private static CheckpointException unknown(String what, int code) {
        return new CheckpointException("a checkpoint has " + what + " " + code + ", expected one of version "
                + BlockOutput.VERSION);
    }
}
