package org.trellis.matrices.mesh;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes Gmsh's format 2.2 as text or binary; points and cells are numbered from 1. */
final class GmshWriter {
    private final OutputStream output;
    private final MeshWriteOptions options;
    private final boolean binary;

    private GmshWriter(OutputStream output, MeshWriteOptions options) {
        this.output = output;
        this.options = options;
        this.binary = options.encoding() != MeshEncoding.ASCII;
    }

    static void write(MeshData mesh, MeshWriteOptions options, OutputStream output) throws IOException {
        new GmshWriter(output, options).write(mesh);
    }

    private void write(MeshData mesh) throws IOException {
        List<String> names = new ArrayList<>();
        mesh.groups().forEach(group -> names.add(group.name()));
        mesh.pointData().forEach(array -> names.add(array.name()));
        mesh.cellData().forEach(array -> names.add(array.name()));
        MeshFiles.checkNames(names, "a line of Gmsh's format", Character::isISOControl);
        text("$MeshFormat\n2.2 " + (binary ? 1 : 0) + " 8\n");
        if (binary) {
            output.write(ByteBuffer.allocate(Integer.BYTES).order(options.byteOrder()).putInt(1).array());
            text("\n");
        }
        text("$EndMeshFormat\n");
        if (!mesh.groups().isEmpty()) {
            text("$PhysicalNames\n" + mesh.groups().size() + "\n");
            for (CellGroup group : mesh.groups()) {
                text(group.dimension() + " " + group.tag() + " \"" + group.name() + "\"\n");
            }
            text("$EndPhysicalNames\n");
        }
        points(mesh);
        cells(mesh);
        data("NodeData", mesh.pointData());
        data("ElementData", mesh.cellData().stream().filter(array -> !array.name().equals(MeshData.PHYSICAL)
                && !array.name().equals(MeshData.GEOMETRICAL)).toList());
    }

    private void points(MeshData mesh) throws IOException {
        double[] points = VtkLegacyWriter.inSpace(mesh);
        text("$Nodes\n" + mesh.pointCount() + "\n");
        for (int i = 0; i < mesh.pointCount(); i++) {
            if (binary) {
                output.write(ByteBuffer.allocate(Integer.BYTES + 3 * Double.BYTES).order(options.byteOrder())
                        .putInt(i + 1).putDouble(points[3 * i]).putDouble(points[3 * i + 1])
                        .putDouble(points[3 * i + 2]).array());
            } else {
                text((i + 1) + " " + points[3 * i] + " " + points[3 * i + 1] + " " + points[3 * i + 2] + "\n");
            }
        }
        text(binary ? "\n$EndNodes\n" : "$EndNodes\n");
    }

    private void cells(MeshData mesh) throws IOException {
        CellOrder order = new CellOrder(mesh);
        Optional<DataArray> physical = mesh.cellArray(MeshData.PHYSICAL);
        Optional<DataArray> geometrical = mesh.cellArray(MeshData.GEOMETRICAL);
        text("$Elements\n" + order.cells() + "\n");
        for (int cell = 0; cell < order.cells(); cell++) {
            CellBlock block = order.block(cell);
            GmshCells.Type type = GmshCells.type(block);
            int[] nodes = new int[block.nodesPerCell()];
            System.arraycopy(block.nodes(), order.start(cell), nodes, 0, nodes.length);
            int[] arranged = GmshCells.toGmsh(type, nodes);
            int[] tags = {tag(physical, cell), tag(geometrical, cell)};
            if (binary) {
                ByteBuffer buffer = ByteBuffer.allocate((6 + arranged.length) * Integer.BYTES);
                buffer.order(options.byteOrder());
                buffer.putInt(type.code()).putInt(1).putInt(2).putInt(cell + 1).putInt(tags[0]).putInt(tags[1]);
                for (int node : arranged) {
                    buffer.putInt(node + 1);
                }
                output.write(buffer.array());
            } else {
                StringBuilder line = new StringBuilder();
                line.append(cell + 1).append(' ').append(type.code()).append(" 2 ").append(tags[0]).append(' ')
                        .append(tags[1]);
                for (int node : arranged) {
                    line.append(' ').append(node + 1);
                }
                text(line.append('\n').toString());
            }
        }
        text(binary ? "\n$EndElements\n" : "$EndElements\n");
    }

    private static int tag(Optional<DataArray> array, int cell) {
        return array.map(tags -> (int) tags.values()[cell * tags.components()]).orElse(0);
    }

    private void data(String section, List<DataArray> arrays) throws IOException {
        for (DataArray array : arrays) {
            // Gmsh knows scalars, vectors and tensors; what lies between is filled up with zeros.
            int components = array.components() == 1 ? 1 : array.components() <= 3 ? 3 : 9;
            if (array.components() > 9) {
                throw new IllegalArgumentException("Gmsh has no data of " + array.components() + " components, as "
                        + array.name() + " has; expected at most 9");
            }
            text("$" + section + "\n1\n\"" + array.name() + "\"\n1\n0.0\n3\n0\n" + components + "\n" + array.size()
                    + "\n");
            for (int i = 0; i < array.size(); i++) {
                value(array, i, components);
            }
            text((binary ? "\n" : "") + "$End" + section + "\n");
        }
    }

    private void value(DataArray array, int index, int components) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + components * Double.BYTES);
        buffer.order(options.byteOrder());
        buffer.putInt(index + 1);
        StringBuilder line = new StringBuilder().append(index + 1);
        for (int k = 0; k < components; k++) {
            double value = k < array.components() ? array.values()[index * array.components() + k] : 0;
            buffer.putDouble(value);
            line.append(' ').append(value);
        }
        if (binary) {
            output.write(buffer.array());
        } else {
            text(line.append('\n').toString());
        }
    }

    private void text(String text) throws IOException {
        output.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
