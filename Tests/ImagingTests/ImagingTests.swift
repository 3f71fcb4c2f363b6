// ImagingTests
