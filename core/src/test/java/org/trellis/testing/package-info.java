/** What the tests of all modules share: seeds, awkward matrices, places of test data. */
package org.trellis.testing;
