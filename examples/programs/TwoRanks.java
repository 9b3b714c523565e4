import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.matrices.MatrixFiles;
import org.trellis.systems.Solvers;

void main(String[] arguments) throws Exception {
    var whole = MatrixFiles.read(Path.of(arguments[0]));
    ThreadRanks.run(2, communicator -> {
        var a = PartitionedMatrix.scatter(communicator, whole);
        return Solvers.cg(a).solve(DoubleStream.generate(() -> 1).limit(a.ownedRows()).toArray());
    }).forEach(IO::println);
}
