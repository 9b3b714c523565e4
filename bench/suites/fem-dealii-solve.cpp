// Poisson's equation with deal.II (9.4): assembly by WorkStream with the boundary eliminated by AffineConstraints, and
// conjugate gradients with Jacobi and SSOR to 1e-8 of the right-hand side. -div(kappa grad u) = 1, kappa = 1 + x + 2 y, u = 0 on
// the boundary of the distorted unit square, nodes at equal distances. Prints the largest value of the solution, iterations
// and the least seconds of some turns.
//
//     g++ -O3 -march=native -o fem-dealii-solve bench/suites/fem-dealii-solve.cpp -ldeal.ii -ltbb -lmpi_cxx -lmpi
//     ./fem-dealii-solve DEGREE CELLS TURNS THREADS
#include <deal.II/base/function.h>
#include <deal.II/base/multithread_info.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/work_stream.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/vector.h>
#include <deal.II/numerics/vector_tools.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace dealii;

static double since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Scratch {
    FEValues<2> values;
    Scratch(const FiniteElement<2>& fe, const Quadrature<2>& rule)
        : values(fe, rule, update_values | update_gradients | update_quadrature_points | update_JxW_values) {}
    Scratch(const Scratch& other)
        : values(other.values.get_fe(), other.values.get_quadrature(), other.values.get_update_flags()) {}
};

struct CellTerms {
    FullMatrix<double> matrix;
    Vector<double> load;
    std::vector<types::global_dof_index> unknowns;
};

template <class P>
static void solve(const char* name, const SparseMatrix<double>& matrix, const Vector<double>& load, const P& preconditioner,
        int turns) {
    Vector<double> u(load.size());
    double best = 1e300;
    unsigned steps = 0;
    for (int turn = 0; turn < turns; turn++) {
        u = 0;
        SolverControl control(10000, 1e-8 * load.l2_norm());
        SolverCG<Vector<double>> method(control);
        const auto start = std::chrono::steady_clock::now();
        method.solve(matrix, u, load, preconditioner);
        best = std::min(best, since(start));
        steps = control.last_step();
    }
    std::printf("%s: %u iterations, %.4g s, largest %.9f\n", name, steps, best, u.linfty_norm());
}

int main(int argc, char** argv) {
    const int degree = std::atoi(argv[1]);
    const unsigned cells = std::atoi(argv[2]);
    const int turns = std::atoi(argv[3]);
    MultithreadInfo::set_thread_limit(std::atoi(argv[4]));
    Triangulation<2> mesh;
    GridGenerator::subdivided_hyper_cube(mesh, cells);
    GridTools::transform([](const Point<2>& p) {
        const double pi = numbers::PI;
        return Point<2>(p[0] + 0.08 * std::sin(2 * pi * p[0]) * std::sin(pi * p[1]),
                p[1] + 0.06 * std::sin(pi * p[0]) * std::sin(2 * pi * p[1]));
    }, mesh);
    std::vector<Point<1>> nodes;
    for (int k = 0; k <= degree; k++) {
        nodes.emplace_back(double(k) / degree);
    }
    const FE_Q<2> fe{Quadrature<1>(nodes)};
    const QGauss<2> rule(degree + 1);
    DoFHandler<2> dofs(mesh);
    dofs.distribute_dofs(fe);
    AffineConstraints<double> zero;
    VectorTools::interpolate_boundary_values(dofs, 0, Functions::ZeroFunction<2>(), zero);
    zero.close();
    DynamicSparsityPattern entries(dofs.n_dofs());
    DoFTools::make_sparsity_pattern(dofs, entries, zero, false);
    SparsityPattern pattern;
    pattern.copy_from(entries);
    SparseMatrix<double> matrix(pattern);
    Vector<double> load(dofs.n_dofs());
    double best = 1e300;
    for (int turn = 0; turn < turns; turn++) {
        const auto start = std::chrono::steady_clock::now();
        matrix = 0;
        load = 0;
        WorkStream::run(dofs.begin_active(), dofs.end(),
            [&](const DoFHandler<2>::active_cell_iterator& cell, Scratch& scratch, CellTerms& copy) {
                FEValues<2>& v = scratch.values;
                v.reinit(cell);
                const unsigned n = v.dofs_per_cell;
                copy.matrix.reinit(n, n);
                copy.load.reinit(n);
                copy.unknowns.resize(n);
                for (unsigned q : v.quadrature_point_indices()) {
                    const Point<2>& x = v.quadrature_point(q);
                    const double weight = (1 + x[0] + 2 * x[1]) * v.JxW(q);
                    for (unsigned i = 0; i < n; i++) {
                        const Tensor<1, 2> g = weight * v.shape_grad(i, q);
                        for (unsigned j = 0; j < n; j++) {
                            copy.matrix(i, j) += g * v.shape_grad(j, q);
                        }
                        copy.load(i) += v.JxW(q) * v.shape_value(i, q);
                    }
                }
                cell->get_dof_indices(copy.unknowns);
            },
            [&](const CellTerms& copy) {
                zero.distribute_local_to_global(copy.matrix, copy.load, copy.unknowns, matrix, load);
            },
            Scratch(fe, rule), CellTerms());
        best = std::min(best, since(start));
    }
    std::printf("Q%d %u cells, %u unknowns with the boundary, %d threads: matrix and load %.4g s\n", degree, cells * cells,
            dofs.n_dofs(), int(MultithreadInfo::n_threads()), best);
    PreconditionJacobi<SparseMatrix<double>> jacobi;
    jacobi.initialize(matrix);
    solve("jacobi", matrix, load, jacobi, turns);
    PreconditionSSOR<SparseMatrix<double>> ssor;
    ssor.initialize(matrix, 1.0);
    solve("ssor", matrix, load, ssor, turns);
}
