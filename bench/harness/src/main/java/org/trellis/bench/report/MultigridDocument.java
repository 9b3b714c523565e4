package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.multigrid.SetupPhase;

/** The levels of a multigrid method as JSON. */
final class MultigridDocument {
    private MultigridDocument() {}

    static void put(ObjectNode node, MultigridReport report) {
        node.put("coarsening", report.coarsening())
                .put("cycle", report.cycle())
                .put("gridComplexity", report.gridComplexity())
                .put("operatorComplexity", report.operatorComplexity())
                .put("multigridBytes", report.bytes());
        ArrayNode levels = node.putArray("levels");
        for (MultigridReport.Level level : report.levels()) {
            ObjectNode one = levels.addObject()
                    .put("rows", level.rows())
                    .put("nonZeros", level.nonZeros())
                    .put("meanRowLength", level.meanRowLength())
                    .put("smoother", level.smoother())
                    .put("secondsPerCycle", level.seconds())
                    .put("bytes", level.bytes())
                    .put("product", level.product());
            if (!level.prolongation().isEmpty()) {
                one.put("prolongation", level.prolongation()).put("restriction", level.restriction());
            }
        }
        ObjectNode phases = node.putObject("multigridSetupSeconds");
        for (SetupPhase phase : SetupPhase.values()) {
            if (report.setupSeconds().containsKey(phase)) {
                phases.put(phase.label(), report.setupSeconds().get(phase));
            }
        }
        ArrayNode visits = node.putArray("cycleVisits");
        report.visits().forEach(visits::add);
        ArrayNode remarks = node.putArray("remarks");
        report.remarks().forEach(remarks::add);
    }
}
