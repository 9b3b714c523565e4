package org.trellis.convert.cgns;

import io.jhdf.api.Attribute;
import io.jhdf.api.Dataset;
import io.jhdf.api.Group;
import io.jhdf.api.Node;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.trellis.common.MatrixFormatException;
import org.trellis.matrices.mesh.NumberType;

/**
 * A node of a CGNS tree: a group of HDF5 with a label, whose data are a data set called {@code " data"}.
 *
 * @param file  the file, for messages
 * @param group the group
 */
record CgnsNode(String file, Group group) {
    private static final String DATA = " data";

    String name() {
        return group.getName();
    }

    /** Returns what kind of node this is, as {@code Zone_t}. */
    String label() {
        Attribute label = group.getAttribute("label");
        return label == null ? "" : String.valueOf(label.getData()).strip();
    }

    /** Returns the children with a label, by name: HDF5 may keep them in any order. */
    List<CgnsNode> children(String label) {
        return group.getChildren().values().stream().filter(Group.class::isInstance)
                .map(child -> new CgnsNode(file, (Group) child)).filter(child -> child.label().equals(label))
                .sorted(Comparator.comparing(CgnsNode::name)).toList();
    }

    Optional<CgnsNode> child(String name) {
        return group.getChildren().get(name) instanceof Group found
                ? Optional.of(new CgnsNode(file, found))
                : Optional.empty();
    }

    CgnsNode required(String name) {
        return child(name).orElseThrow(() -> wrong("there is no node '" + name + "'", "one"));
    }

    private Object data() {
        Node node = group.getChildren().get(DATA);
        if (!(node instanceof Dataset data)) {
            throw wrong("there are no data", "some");
        }
        return data.getDataFlat();
    }

    /** Returns integers of four or eight bytes. */
    long[] integers() {
        return switch (data()) {
            case int[] small -> Arrays.stream(small).asLongStream().toArray();
            case long[] large -> large;
            default -> throw wrong("the data are no integers", "integers of 4 or 8 bytes");
        };
    }

    /** Returns reals of single or double precision. */
    double[] reals() {
        return switch (data()) {
            case double[] values -> values;
            case float[] values -> {
                double[] wide = new double[values.length];
                for (int i = 0; i < wide.length; i++) {
                    wide[i] = values[i];
                }
                yield wide;
            }
            default -> throw wrong("the data are no reals", "reals of 4 or 8 bytes");
        };
    }

    /** Returns the type of data that are numbers, or nothing. */
    Optional<NumberType> numberType() {
        return switch (data()) {
            case double[] _ -> Optional.of(NumberType.FLOAT64);
            case float[] _ -> Optional.of(NumberType.FLOAT32);
            default -> Optional.empty();
        };
    }

    String text() {
        if (data() instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8).strip();
        }
        throw wrong("the data are no text", "characters");
    }

    MatrixFormatException wrong(String problem, String expected) {
        return new MatrixFormatException(file, 0, 0, "at " + group.getPath() + ": " + problem, expected);
    }
}
