/*
 * A whole small program by PETSc: builds the matrix of five points on a square grid row by row, solves A x = A 1 by
 * conjugate gradients to 1e-8 in the norm of residuals, with the preconditioner that options name, and prints
 * iterations and the relative residual. whole-programs.py compiles and times it.
 *
 *   ./poisson-petsc -n N -pc_type gamg
 */
#include <petscksp.h>

int main(int count, char **arguments) {
    Mat a;
    Vec x, b, r;
    KSP solver;
    PetscInt n = 100, first, last, iterations;
    PetscReal residual, scale;

    PetscCall(PetscInitialize(&count, &arguments, NULL, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL));
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n * n, n * n, 5, NULL, 2, NULL, &a));
    PetscCall(MatGetOwnershipRange(a, &first, &last));
    for (PetscInt row = first; row < last; row++) {
        PetscInt columns[5], entries = 0;
        PetscScalar values[5];
        const PetscInt steps[] = {-n, -1, 0, 1, n};
        const int inside[] = {row >= n, row % n > 0, 1, row % n < n - 1, row < n * (n - 1)};
        for (int k = 0; k < 5; k++) {
            if (inside[k]) {
                columns[entries] = row + steps[k];
                values[entries++] = steps[k] == 0 ? 4 : -1;
            }
        }
        PetscCall(MatSetValues(a, 1, &row, entries, columns, values, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
    PetscCall(MatSetOption(a, MAT_SPD, PETSC_TRUE));
    PetscCall(MatCreateVecs(a, &x, &b));
    PetscCall(VecDuplicate(b, &r));
    PetscCall(VecSet(x, 1));
    PetscCall(MatMult(a, x, b));
    PetscCall(VecSet(x, 0));

    PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
    PetscCall(KSPSetOperators(solver, a, a));
    PetscCall(KSPSetType(solver, KSPCG));
    PetscCall(KSPSetNormType(solver, KSP_NORM_UNPRECONDITIONED));
    PetscCall(KSPSetTolerances(solver, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 1000));
    PetscCall(KSPSetFromOptions(solver));
    PetscCall(KSPSolve(solver, b, x));
    PetscCall(KSPGetIterationNumber(solver, &iterations));
    PetscCall(MatMult(a, x, r));
    PetscCall(VecAXPY(r, -1, b));
    PetscCall(VecNorm(r, NORM_2, &residual));
    PetscCall(VecNorm(b, NORM_2, &scale));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d iterations, relative residual %.1e\n", (int) iterations,
                          (double) (residual / scale)));
    return PetscFinalize();
}
