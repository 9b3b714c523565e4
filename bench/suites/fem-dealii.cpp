// Assembly with deal.II (9.4) as its tutorials do it: FEValues, a dense matrix for each cell, WorkStream, and
// distribute_local_to_global into a SparseMatrix. Stiffness with kappa = 1 + x + 2 y on the distorted unit square, nodes
// at equal distances, all nodes. Prints the sum of the magnitudes of all entries and elements a second, the best turn.
//
//     g++ -O3 -march=native -o fem-dealii bench/suites/fem-dealii.cpp -ldeal.ii -ltbb -lmpi_cxx -lmpi
//     ./fem-dealii DEGREE CELLS TURNS THREADS
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
#include <deal.II/lac/sparse_matrix.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace dealii;

struct Scratch {
    FEValues<2> values;
    Scratch(const FiniteElement<2>& fe, const Quadrature<2>& rule)
        : values(fe, rule, update_gradients | update_quadrature_points | update_JxW_values) {}
    Scratch(const Scratch& other)
        : values(other.values.get_fe(), other.values.get_quadrature(), other.values.get_update_flags()) {}
};

struct CellMatrix {
    FullMatrix<double> matrix;
    std::vector<types::global_dof_index> unknowns;
};

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
    DynamicSparsityPattern entries(dofs.n_dofs());
    DoFTools::make_sparsity_pattern(dofs, entries);
    SparsityPattern pattern;
    pattern.copy_from(entries);
    SparseMatrix<double> matrix(pattern);
    AffineConstraints<double> none;
    none.close();
    double best = 1e300;
    for (int turn = 0; turn < turns; turn++) {
        const auto start = std::chrono::steady_clock::now();
        matrix = 0;
        WorkStream::run(dofs.begin_active(), dofs.end(),
            [&](const DoFHandler<2>::active_cell_iterator& cell, Scratch& scratch, CellMatrix& copy) {
                FEValues<2>& v = scratch.values;
                v.reinit(cell);
                const unsigned n = v.dofs_per_cell;
                copy.matrix.reinit(n, n);
                copy.unknowns.resize(n);
                for (unsigned q : v.quadrature_point_indices()) {
                    const Point<2>& x = v.quadrature_point(q);
                    const double weight = (1 + x[0] + 2 * x[1]) * v.JxW(q);
                    for (unsigned i = 0; i < n; i++) {
                        const Tensor<1, 2> g = weight * v.shape_grad(i, q);
                        for (unsigned j = 0; j < n; j++) {
                            copy.matrix(i, j) += g * v.shape_grad(j, q);
                        }
                    }
                }
                cell->get_dof_indices(copy.unknowns);
            },
            [&](const CellMatrix& copy) { none.distribute_local_to_global(copy.matrix, copy.unknowns, matrix); },
            Scratch(fe, rule), CellMatrix());
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    double sum = 0;
    for (const auto& entry : matrix) {
        sum += std::abs(entry.value());
    }
    std::printf("Q%d %u cells, %d threads: sum %.12f, %.4g elements/s\n", degree, cells * cells,
            int(MultithreadInfo::n_threads()), sum, cells * cells / best);
}
