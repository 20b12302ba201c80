// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The parts of Multicall3 that payment libraries use to ask a token several things at once. Facilitators need it to say
/// why a transfer would fail; without it every failure reads "simulation failed".
contract Multicall3 {
    struct Call {
        address target;
        bytes callData;
    }

    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = _call(calls[i].target, calls[i].callData, !requireSuccess);
        }
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = _call(calls[i].target, calls[i].callData, calls[i].allowFailure);
        }
    }

    function getCurrentBlockTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    function _call(address target, bytes calldata callData, bool mayFail) private returns (Result memory) {
        (bool success, bytes memory returnData) = target.call(callData);
        require(mayFail || success, "Multicall3: call failed");
        return Result(success, returnData);
    }
}
