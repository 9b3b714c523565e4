import org.trellis.kernel.*;
import org.trellis.mesh.*;

class OwnKernel {
    @MeshKernel
    static void collect(@Read double[] weight, @Increment double[] first, @Increment double[] second) {
        first[0] += weight[0];
        second[0] += weight[0];
    }

    static void main() {
        try (Mesh mesh = Mesh.onHost()) {
            MeshSet nodes = mesh.set("nodes", 3);
            MeshSet edges = mesh.set("edges", 2);
            MeshMap ends = mesh.map("ends", edges, nodes, 2, new int[]{0, 1, 1, 2});
            Dat weight = mesh.dat("weight", edges, 1, 10);
            Dat sum = mesh.dat("sum", nodes);
            mesh.loop(OwnKernelLoops.COLLECT, edges, weight, sum.at(ends, 0), sum.at(ends, 1)).run();
            IO.println(sum.get(1, 0));
        }
    }
}
