package org.trellis.examples;

import java.util.List;
import org.trellis.bench.measurement.Measurement;
import org.trellis.bench.measurement.MeasurementSet;
import org.trellis.examples.airfoil.BalanceTiming;
import org.trellis.examples.airfoil.CheckpointCost;
import org.trellis.examples.airfoil.ParallelReadTiming;
import org.trellis.examples.airfoil.PartitionQuality;
import org.trellis.examples.chain.ChainTiming;
import org.trellis.examples.poisson.SolverCheckpointCost;
import org.trellis.examples.rotor.RotorLoops;

/** The measurements of applications. */
public final class ExampleMeasurements implements MeasurementSet {
    /** Creates the set; the service loader does. */
    public ExampleMeasurements() {}

    @Override
    public List<Measurement> measurements() {
        return List.of(
                new Measurement("chains", "BACKEND THREADS ROUNDS CASE WAY...",
                        "chains of loops one by one, fused, in tiles and put together by hand", ChainTiming::start),
                new Measurement("balance", "BACKEND,BACKEND I J [SHARE...]",
                        "how well shares of devices of different speed are predicted", BalanceTiming::start),
                new Measurement("parallel-read", "FILE DIVISION [RANKS]",
                        "reading a mesh in shares and dividing it", ParallelReadTiming::start),
                new Measurement("checkpoints", "FOLDER I J ROUNDS CHECKPOINTS", "what checkpoints cost Airfoil",
                        CheckpointCost::start),
                new Measurement("solver-checkpoints", "FOLDER N PAIRS CHECKPOINTS",
                        "what checkpoints cost conjugate gradients", SolverCheckpointCost::start),
                new Measurement("partitioners", "SIDE I J PARTS...",
                        "cuts, halos and times of partitioners on a matrix and a mesh", PartitionQuality::start),
                new Measurement("ranks-table", "[PLACE...] [WORD...]",
                        "iterations of the examples that solve systems, on one rank and on several",
                        RanksTable::start),
                new Measurement("rotor-loops", "PROGRAM FOLDER THREADS ROUNDS MESH BACKEND...",
                        "the heaviest loops of the flow solver beside C++", RotorLoops::start));
    }
}
