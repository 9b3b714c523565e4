/*
 * Writes the CGNS files of the tests by the CGNS library:  gcc make-cgns.c -lcgns && ./a.out FOLDER
 * A hexahedron, a pyramid on it, a prism beside it and a tetrahedron beside that, with boundary conditions.
 */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                                    \
    if (call) {                                                                                                        \
        fprintf(stderr, "%s: %s\n", #call, cg_get_error());                                                           \
        exit(1);                                                                                                       \
    }

static double x[] = {0, 1, 1, 0, 0, 1, 1, 0, 0.5, 2, 2, 1}, y[] = {0, 0, 1, 1, 0, 0, 1, 1, 0.5, 0, 1, -1},
              z[] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 0, 0, 0};
static int file, base, zone, section;

static void start(const char *folder, const char *name, int vertices, int cells) {
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    cgsize_t size[3] = {vertices, cells, 0};
    CHECK(cg_open(path, CG_MODE_WRITE, &file));
    CHECK(cg_base_write(file, "Base", 3, 3, &base));
    CHECK(cg_zone_write(file, base, "Zone 1", size, Unstructured, &zone));
}

static void coordinates(DataType_t type) {
    int c;
    float single[3][12];
    const double *all[] = {x, y, z};
    const char *names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    for (int d = 0; d < 3; d++) {
        for (int i = 0; i < 12; i++) {
            single[d][i] = (float)all[d][i];
        }
        CHECK(cg_coord_write(file, base, zone, type, names[d], type == RealSingle ? (void *)single[d] : (void *)all[d], &c));
    }
}

static void faces(const char *name, ElementType_t type, cgsize_t first, int count, const cgsize_t *nodes) {
    CHECK(cg_section_write(file, base, zone, name, type, first, first + count - 1, 0, nodes, &section));
}

static void condition(const char *name, BCType_t type, PointSetType_t set, cgsize_t count, const cgsize_t *points,
                      GridLocation_t location, const char *family) {
    int number;
    CHECK(cg_boco_write(file, base, zone, name, type, set, count, points, &number));
    if (set == PointRange || set == PointList) {
        CHECK(cg_boco_gridlocation_write(file, base, zone, number, location));
    }
    if (family) {
        CHECK(cg_goto(file, base, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", number, "end"));
        CHECK(cg_famname_write(family));
    }
}

static const cgsize_t quads[] = {1, 4, 3, 2, 1, 2, 6, 5, 3, 4, 8, 7, 1, 5, 8, 4, 10, 11, 7, 6, 2, 3, 11, 10};
static const cgsize_t triangles[] = {5, 6, 9, 6, 7, 9, 7, 8, 9, 8, 5, 9, 3, 7, 11, 2, 10, 12, 10, 6, 12, 2, 12, 6};

static void boundary(cgsize_t first) {
    faces("Quads", QUAD_4, first, 6, quads);
    faces("Triangles", TRI_3, first + 6, 8, triangles);
    cgsize_t range[] = {first, first + 3}, list[] = {first + 4, first + 5, first + 10}, rest[8] = {0};
    condition("wall", BCWallViscous, PointRange, 2, range, FaceCenter, NULL);
    condition("bc 2", BCFarfield, PointList, 3, list, FaceCenter, "far");
    int n = 0;
    for (int i = 6; i < 14; i++) {
        if (i != 10) {
            rest[n++] = first + i;
        }
    }
    condition("slip-1", BCSymmetryPlane, ElementList, n, rest, FaceCenter, NULL);
}

static void separate(const char *folder) {
    cgsize_t hexahedra[] = {1, 2, 3, 4, 5, 6, 7, 8}, pyramids[] = {5, 6, 7, 8, 9}, prisms[] = {2, 10, 6, 3, 11, 7},
             tetrahedra[] = {2, 6, 10, 12};
    start(folder, "separate.cgns", 12, 4);
    coordinates(RealDouble);
    faces("Hexahedra", HEXA_8, 1, 1, hexahedra);
    faces("Pyramids", PYRA_5, 2, 1, pyramids);
    faces("Prisms", PENTA_6, 3, 1, prisms);
    faces("Tetrahedra", TETRA_4, 4, 1, tetrahedra);
    boundary(5);
    double pressure[] = {1.5, 2.5, 3.5, 4.5};
    int solution, field;
    CHECK(cg_sol_write(file, base, zone, "Solution", CellCenter, &solution));
    CHECK(cg_field_write(file, base, zone, solution, RealDouble, "Pressure", pressure, &field));
    CHECK(cg_close(file));
}

static void mixed(const char *folder) {
    cgsize_t cells[] = {HEXA_8, 1, 2, 3, 4, 5, 6, 7, 8, PYRA_5, 5, 6, 7, 8, 9, PENTA_6, 2, 10, 6, 3, 11, 7,
                        TETRA_4, 2, 6, 10, 12};
    cgsize_t offsets[] = {0, 9, 15, 22, 27};
    start(folder, "mixed.cgns", 12, 4);
    coordinates(RealSingle);
#if CGNS_VERSION >= 3400
    CHECK(cg_poly_section_write(file, base, zone, "Cells", MIXED, 1, 4, 0, cells, offsets, &section));
#else
    (void)offsets;
    faces("Cells", MIXED, 1, 4, cells);
#endif
    boundary(5);
    CHECK(cg_close(file));
}

static void refused(const char *folder) {
    cgsize_t polygon[] = {4, 1, 2, 3, 4}, offsets[] = {0, 4}, second[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    start(folder, "polygons.cgns", 12, 1);
    coordinates(RealDouble);
#if CGNS_VERSION >= 3400
    CHECK(cg_poly_section_write(file, base, zone, "Polygons", NGON_n, 1, 1, 0, polygon + 1, offsets, &section));
#else
    (void)offsets;
    faces("Polygons", NGON_n, 1, 1, polygon);
#endif
    CHECK(cg_close(file));
    start(folder, "second-order.cgns", 12, 1);
    coordinates(RealDouble);
    faces("Tetrahedra", TETRA_10, 1, 1, second);
    CHECK(cg_close(file));
    char path[1000];
    snprintf(path, sizeof path, "%s/structured.cgns", folder);
    cgsize_t size[9] = {2, 2, 3, 1, 1, 2, 0, 0, 0};
    CHECK(cg_open(path, CG_MODE_WRITE, &file));
    CHECK(cg_base_write(file, "Base", 3, 3, &base));
    CHECK(cg_zone_write(file, base, "Block", size, Structured, &zone));
    coordinates(RealDouble);
    CHECK(cg_close(file));
}

int main(int count, char **arguments) {
    const char *folder = count > 1 ? arguments[1] : ".";
    CHECK(cg_set_file_type(CG_FILE_HDF5));
    separate(folder);
    mixed(folder);
    refused(folder);
    return 0;
}
