package org.trellis.examples.airfoil;

import java.io.IOException;
import java.nio.file.Path;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.distributed.communicate.MpiRanks;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.examples.OpenMpi;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.loop.Layout;

/** Airfoil on a process of a job of MPI; the first writes residuals and the state into the file that is named. */
final class AirfoilProcess {
    private AirfoilProcess() {}

    public static void main(String... arguments) throws IOException {
        double[][] found = new double[2][];
        boolean first = MpiRanks.run(AirfoilRanksTest.oneThread(), communicator -> {
            try (Backend backend = Backends.open("threads", AirfoilRanksTest.oneThread());
                    Mesh mesh = DistributedMesh.on(backend, communicator)) {
                AirfoilRanksTest.Flow flow = AirfoilRanksTest.flow(mesh, Layout.AOS);
                found[0] = flow.residuals();
                found[1] = flow.state();
            }
            return communicator.rank() == 0;
        });
        if (first) {
            OpenMpi.write(Path.of(arguments[0]), found);
        }
    }
}
