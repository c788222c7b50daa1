//! Loops compiled for the vectors of the machine. Nothing is summed in another order, and no product is fused with a
//! sum, so the bits are the same on every machine.

use pulp::{Arch, Simd, WithSimd};

/// A loop. It is compiled for the vectors of the machine as far as `run`, and all that it calls, is inlined always.
pub(crate) trait Vectorised {
    type Output;

    fn run(self) -> Self::Output;

    /// Runs it with the widest vectors that there are.
    #[inline]
    fn with_vectors(self) -> Self::Output
    where
        Self: Sized,
    {
        Arch::new().dispatch(Loop(self))
    }
}

struct Loop<V>(V);

impl<V: Vectorised> WithSimd for Loop<V> {
    type Output = V::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> V::Output {
        self.0.run()
    }
}
