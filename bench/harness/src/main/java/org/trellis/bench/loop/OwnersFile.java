package org.trellis.bench.loop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.picture.MeshPicture;
import org.trellis.bench.ranks.RankJob;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.matrices.mesh.MeshWriteOptions;
import org.trellis.mesh.MeshSet;

/** Which rank has which cell of a mesh, as a picture or as a field of a VTU file. */
public final class OwnersFile {
    private static final String VTU = ".vtu";

    private OwnersFile() {}

    /**
     * Checks what the command line says.
     *
     * @param job  the ranks
     * @param file where to write, or null
     * @throws IllegalArgumentException if there is one rank, or nothing can be written there
     */
    public static void check(RankJob job, Path file) {
        if (file != null && !job.isDistributed()) {
            throw new IllegalArgumentException("owners of cells are asked for on one rank, expected several: "
                    + "trellis run --ranks N ...");
        }
        if (file == null || file.toString().endsWith(VTU)) {
            OutputFile.check("--owners", file);
        } else {
            OutputFile.checkPicture("--owners", file);
        }
    }

    /**
     * Writes the owners. Called by all ranks; the first one writes.
     *
     * @param here  the rank
     * @param data  points and cells, those of its first block being the set's elements
     * @param cells the cells
     * @param title for the picture
     * @param file  where to write
     * @throws IOException if it cannot be written
     */
    public static void write(MeshJob here, MeshData data, MeshSet cells, String title, Path file) throws IOException {
        double[] ranks = Arrays.stream(DistributedMesh.owners(cells)).asDoubleStream().toArray();
        if (!here.isFirst()) {
            return;
        }
        DataArray field = DataArray.of("rank", 1, ranks);
        if (file.toString().endsWith(VTU)) {
            MeshFiles.write(file, new MeshData(data.dimensions(), data.points(), List.of(data.blocks().getFirst()),
                    List.of(), List.of(field), List.of()), MeshWriteOptions.DEFAULT);
        } else {
            MeshPicture.write(data, new MeshPicture.Field(field, true, 0), null, title, file);
        }
    }
}
