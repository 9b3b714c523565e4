package org.trellis.bench.report.html;

import org.trellis.bench.report.SolverTuningDocument;
import org.trellis.bench.report.TuningReport;
import org.trellis.bench.text.Markup;

/** The report of products and solvers that were tuned in one run. It needs no network and stores nothing. */
public final class ProductsAndSolversPage {
    private ProductsAndSolversPage() {}

    /**
     * Writes a run as HTML.
     *
     * @param products what was measured of products
     * @param solvers  what came of the systems that were solved after that
     * @return the document, which is well-formed XML after its first line
     */
    public static String of(TuningReport products, SolverTuningDocument solvers) {
        return HtmlPage.of("Tuning, " + products.provenance().date(), out -> body(products, solvers, out));
    }

    private static void body(TuningReport products, SolverTuningDocument solvers, Markup out) {
        TuningPage first = new TuningPage(products, out);
        SolverTuningPage second = new SolverTuningPage(solvers, products.provenance(), out);
        out.open("header").element("h1", "Tuning of products and solvers");
        out.element("p", products.device() + " · " + HtmlPage.origin(products.provenance()));
        out.open("div", "class", "cards");
        first.cards();
        second.cards();
        out.close("div").close("header").line().open("main");
        first.sections();
        second.sections();
        first.where();
        out.close("main").line();
    }
}
