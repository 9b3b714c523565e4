# Writes the files of MatlabFormatTest with SciPy.
import numpy, scipy.io, scipy.sparse
a = scipy.sparse.csc_array(numpy.array([[0, 1.5, 0], [2, 0, -3], [0, 0, 0], [0.25, 4, 0]]))
save = scipy.io.savemat
save("sparse.mat", {"matrix": a, "note": "a text beside it"})
save("compressed.mat", {"matrix": a}, do_compression=True)
save("problem.mat", {"Problem": {"name": "a name", "A": a, "b": numpy.ones((4, 1))}})
save("named.mat", {"B": 2 * a, "A": a})
save("dense.mat", {"full": a.toarray(), "note": "a text"})
save("complex.mat", {"matrix": a * (1 - 2j)})
save("logical.mat", {"matrix": a != 0})
save("several.mat", {"p": a, "q": a})
save("text.mat", {"note": "a text"})
