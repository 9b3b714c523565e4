// Solves a system by amgcl, with conjugate gradients and multigrid, as often as standard input says "solve".
//
//   g++ -std=c++17 -O3 -march=native -fopenmp -DAMGCL_NO_BOOST -I AMGCL amgcl-solver.cpp -o amgcl-solver
//   amgcl-solver SYSTEM SOLUTION BLOCK_SIZE RELATIVE ABSOLUTE ITERATIONS COARSENING RELAXATION
//
// SYSTEM is a file as org.trellis.bench.peer.solver.SystemFile writes it; SOLUTION gets the solution, doubles. Prints
// "ready" once the system is read, and after each solution a line: seconds of set-up and of solution, iterations, and the
// residual as a share of the right-hand side. COARSENING is smoothed_aggregation or ruge_stuben, RELAXATION spai0,
// gauss_seidel or chebyshev.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <amgcl/adapter/crs_tuple.hpp>
#include <amgcl/amg.hpp>
#include <amgcl/backend/builtin.hpp>
#include <amgcl/coarsening/ruge_stuben.hpp>
#include <amgcl/coarsening/smoothed_aggregation.hpp>
#include <amgcl/make_solver.hpp>
#include <amgcl/relaxation/chebyshev.hpp>
#include <amgcl/relaxation/gauss_seidel.hpp>
#include <amgcl/relaxation/spai0.hpp>
#include <amgcl/solver/cg.hpp>

namespace {

using Backend = amgcl::backend::builtin<double>;
const std::int64_t MAGIC = 0x7472656c6c697301;

struct System {
    std::vector<int> offsets;
    std::vector<int> columns;
    std::vector<double> values;
    std::vector<double> b;
};

struct Settings {
    int block;
    double relative;
    double absolute;
    int iterations;
};

template <class T>
std::vector<T> take(std::ifstream &in, std::size_t count) {
    std::vector<T> all(count);
    in.read(reinterpret_cast<char *>(all.data()), static_cast<std::streamsize>(count * sizeof(T)));
    if (!in) {
        throw std::runtime_error("the system ends early");
    }
    return all;
}

System read(const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    const auto header = take<std::int64_t>(in, 3);
    if (header[0] != MAGIC || header[2] > INT32_MAX) {
        throw std::runtime_error(file + " is no system of fewer than 2^31 entries");
    }
    const auto offsets = take<std::int64_t>(in, static_cast<std::size_t>(header[1]) + 1);
    System system;
    system.offsets.assign(offsets.begin(), offsets.end());
    system.b = take<double>(in, static_cast<std::size_t>(header[1]));
    system.values = take<double>(in, static_cast<std::size_t>(header[2]));
    system.columns = take<int>(in, static_cast<std::size_t>(header[2]));
    return system;
}

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class P>
void setBlock(P &, int, long) {}

template <class P>
auto setBlock(P &parameters, int block, int) -> decltype(parameters.aggr.block_size, void()) {
    parameters.aggr.block_size = block;
}

template <template <class> class Coarsening, template <class> class Relaxation>
void solve(const System &system, const Settings &settings, const std::string &file) {
    using Preconditioner = amgcl::amg<Backend, Coarsening, Relaxation>;
    using Solver = amgcl::make_solver<Preconditioner, amgcl::solver::cg<Backend>>;
    typename Solver::params parameters;
    setBlock(parameters.precond.coarsening, settings.block, 0);
    parameters.solver.tol = settings.relative;
    parameters.solver.abstol = settings.absolute;
    parameters.solver.maxiter = static_cast<std::size_t>(settings.iterations);

    const std::size_t n = system.b.size();
    const double begun = now();
    Solver solver(std::tie(n, system.offsets, system.columns, system.values), parameters);
    const double prepared = now();
    std::vector<double> x(n, 0.0);
    const double started = now();
    const auto [iterations, residual] = solver(system.b, x);
    const double ended = now();

    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char *>(x.data()), static_cast<std::streamsize>(n * sizeof(double)));
    out.close();
    if (!out) {
        throw std::runtime_error(file + " cannot be written");
    }
    std::printf("%.9f %.9f %zu %.6e\n", prepared - begun, ended - started, iterations, residual);
    std::fflush(stdout);
}

using Solve = std::function<void(const System &, const Settings &, const std::string &)>;

template <template <class> class Coarsening>
Solve relaxed(const std::string &relaxation) {
    if (relaxation == "spai0") {
        return solve<Coarsening, amgcl::relaxation::spai0>;
    }
    if (relaxation == "gauss_seidel") {
        return solve<Coarsening, amgcl::relaxation::gauss_seidel>;
    }
    if (relaxation == "chebyshev") {
        return solve<Coarsening, amgcl::relaxation::chebyshev>;
    }
    throw std::runtime_error("relaxation " + relaxation + ", expected spai0, gauss_seidel or chebyshev");
}

Solve chosen(const std::string &coarsening, const std::string &relaxation) {
    if (coarsening == "smoothed_aggregation") {
        return relaxed<amgcl::coarsening::smoothed_aggregation>(relaxation);
    }
    if (coarsening == "ruge_stuben") {
        return relaxed<amgcl::coarsening::ruge_stuben>(relaxation);
    }
    throw std::runtime_error("coarsening " + coarsening + ", expected smoothed_aggregation or ruge_stuben");
}

}  // namespace

int main(int count, char **words) {
    try {
        if (count != 9) {
            throw std::runtime_error("expected SYSTEM SOLUTION BLOCK_SIZE RELATIVE ABSOLUTE ITERATIONS COARSENING "
                                     "RELAXATION");
        }
        const Settings settings{std::atoi(words[3]), std::atof(words[4]), std::atof(words[5]), std::atoi(words[6])};
        const Solve run = chosen(words[7], words[8]);
        const System system = read(words[1]);
        std::printf("ready\n");
        std::fflush(stdout);
        for (std::string line; std::getline(std::cin, line);) {
            run(system, settings, words[2]);
        }
        return 0;
    } catch (const std::exception &problem) {
        std::printf("failed %s\n", problem.what());
        std::fflush(stdout);
        return 1;
    }
}
