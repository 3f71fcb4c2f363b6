// ServiceKitTests
