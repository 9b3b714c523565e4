package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellGroup;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.mesh.order.OrderMeasures;

/** The JSON document about a mesh file. */
public final class MeshDocument {
    private MeshDocument() {}

    /**
     * Writes what is in a mesh as JSON.
     *
     * @param name       of the file
     * @param mesh       what it holds
     * @param numbering  how far apart the numbers of neighbours are
     * @param renumbered the same after reverse Cuthill-McKee
     * @param provenance what the document comes from
     * @return the document
     */
    public static String of(String name, MeshData mesh, OrderMeasures numbering, OrderMeasures renumbered,
            Provenance provenance) {
        ObjectNode root = JsonReport.start("trellis-mesh-facts", provenance).put("name", name)
                .put("points", mesh.pointCount()).put("dimensions", mesh.dimensions());
        ArrayNode bounds = root.putArray("bounds");
        for (int d = 0; d < mesh.dimensions(); d++) {
            range(bounds.addObject(), mesh.points(), mesh.dimensions(), d);
        }
        ArrayNode blocks = root.putArray("blocks");
        for (CellBlock block : mesh.blocks()) {
            blocks.addObject().put("shape", block.shape().name().toLowerCase(Locale.ROOT)).put("cells", block.cells())
                    .put("nodesPerCell", block.nodesPerCell());
        }
        ArrayNode onPoints = root.putArray("pointData");
        mesh.pointData().forEach(array -> data(onPoints.addObject(), array));
        ArrayNode onCells = root.putArray("cellData");
        mesh.cellData().forEach(array -> data(onCells.addObject(), array));
        ArrayNode groups = root.putArray("groups");
        for (CellGroup group : mesh.groups()) {
            groups.addObject().put("name", group.name()).put("dimension", group.dimension()).put("tag", group.tag());
        }
        ArrayNode remarks = root.putArray("remarks");
        mesh.remarks().forEach(remarks::add);
        measures(root.putObject("numbering"), numbering);
        measures(root.putObject("reverseCuthillMcKee"), renumbered);
        return JsonReport.finish(root);
    }

    private static void data(ObjectNode node, DataArray array) {
        node.put("name", array.name()).put("components", array.components());
        ArrayNode ranges = node.putArray("ranges");
        for (int component = 0; component < array.components(); component++) {
            range(ranges.addObject(), array.values(), array.components(), component);
        }
    }

    /** Without bounds where there are no values, or some are no numbers. */
    private static void range(ObjectNode node, double[] values, int stride, int first) {
        double least = Double.POSITIVE_INFINITY;
        double greatest = Double.NEGATIVE_INFINITY;
        for (int i = first; i < values.length; i += stride) {
            least = Math.min(least, values[i]);
            greatest = Math.max(greatest, values[i]);
        }
        if (least <= greatest && Double.isFinite(least) && Double.isFinite(greatest)) {
            node.put("least", least).put("greatest", greatest);
        }
    }

    private static void measures(ObjectNode node, OrderMeasures measures) {
        node.put("bandwidth", measures.bandwidth()).put("profile", measures.profile())
                .put("meanDistance", measures.meanDistance());
    }
}
